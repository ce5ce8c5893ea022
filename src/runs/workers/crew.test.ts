import { expect, test } from 'vitest'
import { writers } from '../../../tests/support/known-programs.js'
import { modelMachine } from '../../frontends/model/index.js'
import { everywhere } from '../../machine/points.js'
import { noCounters } from '../counters.js'
import { crewWorker } from './crew.js'
import type { Assignment, Findings, WorkerMessage } from './messages.js'
import type { SearchWorker } from './worker.js'

const findings: Findings = {
  counters: noCounters,
  coarse: false,
  longSites: [],
  operations: { kindsSeen: 0, needsRelease: false, hasFreed: false, hasWaited: false, watched: [] },
  bugs: [],
}

/** Samples by one worker of a crew, which says that when it is at its first ones; what the crew says last. */
function lastWord(said: readonly Findings[]): WorkerMessage {
  const given: Assignment[] = []
  const worker: SearchWorker = {
    name: 'worker',
    onMessage: () => {},
    onLost: () => {},
    assign: (assignment) => given.push(assignment),
    answer: () => {},
    suspend: () => {},
    close: () => {},
  }
  const crew = crewWorker(() => worker, 1, modelMachine(writers(2)))
  const heard: WorkerMessage[] = []
  crew.onMessage = (message) => heard.push(message)
  worker.onMessage({ kind: 'ready' })
  const plan = { points: everywhere, strategy: 'pos', order: 'stay', seed: 1, keepGoing: true, selfCheck: 0 }
  const assignment = {
    id: 1,
    plan: { ...plan, maxExecutions: 10 },
    races: 'limited',
    watchesOperations: false,
  }
  crew.assign({ ...assignment, saved: null, saveEvery: null, patience: null } as Assignment)
  for (const one of said) worker.onMessage({ kind: 'progress', id: given[0].id, findings: one })
  for (let next = given.shift(); next !== undefined; next = given.shift()) {
    const counters = { ...noCounters, executions: next.plan.maxExecutions! }
    const last = { kind: 'ended', stopped: 'executions', saved: null } as const
    worker.onMessage({ ...last, id: next.id, findings: { ...findings, counters } })
  }
  crew.close()
  return heard.at(-1)!
}

test('what a worker said once and the crew has not passed on yet is not forgotten', () => {
  const last = lastWord([{ ...findings, confirmed: ['a race'] }, findings])
  expect(last).toMatchObject({
    kind: 'ended',
    findings: { confirmed: ['a race'], counters: { executions: 10 } },
  })
})
