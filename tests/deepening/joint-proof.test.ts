import { expect, test } from 'vitest'
import { modelMachine } from '../../src/frontends/model/index.js'
import { everywhere } from '../../src/machine/points.js'
import { Budget } from '../../src/runs/budget.js'
import { Deepening } from '../../src/runs/deepening.js'
import { isDivided, JointProof } from '../../src/runs/joint-proof.js'
import { Knowledge } from '../../src/runs/knowledge.js'
import type { RunSettings } from '../../src/runs/plan.js'
import { Run, type RunControl } from '../../src/runs/run.js'
import type { SavedRun } from '../../src/runs/saved-run.js'
import type { SavedSearch } from '../../src/runs/search-state.js'
import { localWorker, type SearchWorker } from '../../src/runs/workers/worker.js'
import { WorkerSlot } from '../../src/runs/workers/worker-slot.js'
import { isFull } from '../support/effort.js'
import { writers } from '../support/known-programs.js'

const classes = 40_320
const program = writers(8)

const settings = (checked = program): RunSettings => ({
  program: { machine: modelMachine(checked), scope: [], isProgramError: () => false },
  recipe: { files: ['program.json'] },
  directory: '.',
  strategy: 'auto',
  points: everywhere,
  order: 'stay',
  seed: 1,
  selfCheck: 0,
  keepGoing: false,
})

/** Workers in this thread, each with a machine of its own; the proof is shared as soon as anything is known of it. */
class Workers {
  /** How many assignments each was given. */
  readonly assigned = new Map<SearchWorker, number>()

  constructor(private readonly checked = program) {}

  control(more: Partial<RunControl> = {}): RunControl {
    return {
      budget: new Budget(Infinity),
      workers: 3,
      spawn: () => this.spawn(),
      plan: {
        stages: [{ strategy: 'optimal', title: 'every schedule', executions: 50 }],
        deepens: true,
        goal: { strategy: 'optimal', promise: 'all' },
      },
      worthSharing: 0,
      ...more,
    }
  }

  /** Several were given something. */
  get areBusy(): boolean {
    return [...this.assigned.values()].filter((times) => times > 0).length > 1
  }

  private spawn(): SearchWorker {
    const worker = localWorker(modelMachine(this.checked), () => false)
    const { assign } = worker
    this.assigned.set(worker, 0)
    worker.assign = (assignment) => {
      this.assigned.set(worker, this.assigned.get(worker)! + 1)
      assign(assignment)
    }
    return worker
  }
}

test.each(isFull ? [true, false] : [true])(
  'all workers explore a proof, each class once; searches alongside: %s',
  async (hasBackgrounds) => {
    const workers = new Workers()
    const run = new Run(settings(), workers.control({ hasBackgrounds }))
    expect(await run.run()).toBe('exhausted')
    expect(workers.areBusy).toBe(true)
    const { maximal, isProving } = run.deepening!.board
    expect(isProving).toBe(true)
    expect(maximal).toMatchObject({ status: 'complete', counters: { executions: classes, blocked: 0 } })
    expect(run.problems).toEqual([])
  },
)

test.runIf(isFull)('one worker keeps a proof that is soon done', async () => {
  const workers = new Workers()
  const run = new Run(settings(), workers.control({ worthSharing: 1000 }))
  await run.run()
  expect(workers.assigned.size).toBe(0)
  expect(run.deepening!.board.maximal.counters.executions).toBe(classes)
})

test.each(isFull ? [1, 2] : [2])(
  'what several have explored is gone on with after it was saved, by %i workers',
  async (count) => {
    const workers = new Workers()
    let saved: SavedRun | undefined
    const first: Run = new Run(
      settings(),
      workers.control({
        hasBackgrounds: false,
        isInterrupted: () => workers.areBusy,
        onSave: (now) => {
          saved = now
        },
      }),
    )
    const stopped = await first.run()
    const second = new Run(
      settings(),
      workers.control({ workers: count, ...(count === 1 ? { spawn: undefined } : {}) }),
      JSON.parse(JSON.stringify(saved)) as SavedRun,
    )
    expect(stopped).toBe('interrupted')
    expect(await second.run()).toBe('exhausted')
    expect(second.deepening!.board.maximal).toMatchObject({
      status: 'complete',
      counters: { executions: classes, blocked: 0 },
    })
  },
)

test('without threads nothing runs beside what several have explored: there is one machine', async () => {
  // Not done before it is interrupted.
  const large = writers(9)
  const workers = new Workers(large)
  let saved: SavedRun | undefined
  const onSave = (now: SavedRun) => {
    saved = JSON.parse(JSON.stringify(now)) as SavedRun
  }
  const isInterrupted = () => workers.areBusy
  await new Run(settings(large), workers.control({ hasBackgrounds: false, isInterrupted, onSave })).run()
  const { deepening } = saved!
  // What runs alongside is behind its share of so much time.
  const jobs = deepening!.jobs.map((job) => ({ ...job, counters: { ...job.counters, seconds: 100 } }))
  let most = 0
  const second: Run = new Run(
    settings(large),
    workers.control({
      workers: 1,
      spawn: undefined,
      isInterrupted: () => {
        most = Math.max(most, second.running.length)
        return most > 1 || second.seconds > second.secondsBefore + 0.5
      },
    }),
    { ...saved!, deepening: { ...deepening!, jobs } },
  )
  expect(isDivided(second.deepening!.board.maximal)).toBe(true)
  expect(await second.run()).toBe('interrupted')
  expect(most).toBe(1)
})

test('a proof that is given up begins anew with one worker, and the crew is dismissed', () => {
  const machine = modelMachine(program)
  const deepening: Deepening = new Deepening({
    knowledge: new Knowledge(machine, 'pure'),
    timeLeft: () => Infinity,
    counters: () => deepening.board.maximal.counters,
    settings: { proof: true },
    hasBackgrounds: false,
  })
  const { board } = deepening
  const shared = board.maximal
  let isClosed = false
  const worker = { ...localWorker(machine, () => false), close: () => (isClosed = true) }
  const joint = new JointProof(0)
  joint.slot = new WorkerSlot(worker, true)
  shared.status = 'suspended'
  shared.saved = { points: everywhere, state: { divided: {} } } as unknown as SavedSearch
  joint.endIfOver(deepening)
  expect(isClosed).toBe(false)
  board.hasFailed = true
  board.isProving = false
  joint.endIfOver(deepening)
  expect(isClosed).toBe(true)
  expect(joint.slot).toBeNull()
  expect(board.maximal).not.toBe(shared)
  expect(shared.status).toBe('pruned')
  expect(board.maximal).toMatchObject({ status: 'pending', saved: null })
})

test('crews are not tried again and again if all are lost', () => {
  const machine = modelMachine(program)
  const deepening: Deepening = new Deepening({
    knowledge: new Knowledge(machine, 'pure'),
    timeLeft: () => Infinity,
    counters: () => deepening.board.maximal.counters,
    settings: { proof: true },
    hasBackgrounds: false,
  })
  const joint = new JointProof(0)
  let tried = 0
  Object.assign(deepening.board.maximal, { status: 'running', eta: 100 })
  for (; tried < 10 && joint.wanted(deepening, true); tried++) {
    joint.slot = new WorkerSlot(
      localWorker(machine, () => false),
      true,
    )
    joint.lost(true, deepening)
  }
  expect(tried).toBe(3)
})
