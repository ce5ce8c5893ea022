import { describe, expect, it } from 'vitest'
import type { WasmMachine } from '../../src/frontends/wasm/index.js'
import { THREAD_LIVE } from '../../src/machine/machine.js'
import { edgeOf, Op, operations } from '../../src/machine/operation.js'
import { parsePoints } from '../../src/machine/points.js'
import { Random } from '../../src/random/random.js'
import { isFull, times } from '../support/effort.js'
import { load, loadCase } from './support.js'

type Choice = readonly [thread: string, value: number]

/** Everything a driver can see at each choice, and what each execution left, by canonical names. */
interface Recording {
  readonly choices: Choice[]
  readonly text: string
}

function options(machine: WasmMachine): Choice[] {
  const { pending, threads } = machine
  const live = [...threads.names.keys()].filter((t) => pending.status[t] === THREAD_LIVE)
  const running = live.filter((t) => pending.kind[t] !== Op.processExit)
  const found = running.flatMap((t) =>
    Array.from({ length: machine.alternatives(t) }, (_, value): Choice => [threads.names[t], value]),
  )
  return found.length > 0 ? found : live.filter((t) => !running.includes(t)).map((t) => [threads.names[t], 0])
}

function describePending(machine: WasmMachine): string {
  const { pending, threads, locations } = machine
  return [...threads.names.keys()]
    .filter((t) => pending.status[t] === THREAD_LIVE)
    .map((t) => {
      const place = pending.location[t] < 0 ? '' : locations.keys[pending.location[t]]
      const stack = machine.stackOf(t).join('<')
      return `${threads.names[t]} ${operations[pending.kind[t]].name} ${place} ${pending.site[t]} ${machine.alternatives(t)} ${stack}`
    })
    .sort()
    .join('; ')
}

function describeEnd(machine: WasmMachine): string {
  const { events, locations, threads } = machine
  const rows = [...Array(events.count).keys()].map((i) => {
    const place =
      events.location[i] < 0
        ? ''
        : `${locations.kinds[events.location[i]]} ${locations.keys[events.location[i]]}`
    const aux = edgeOf[events.kind[i]] === 0 ? events.aux[i] : threads.names[events.aux[i]]
    return [events.kind[i], events.mode[i], place, events.site[i], aux].join(' ')
  })
  const bug = machine.bug && { ...machine.bug, thread: threads.names[machine.bug.thread] }
  return [...rows, JSON.stringify(bug), machine.output, machine.unfinished, machine.finalState()].join('\n')
}

/** Runs an execution: along the choices given, or at random. */
function record(machine: WasmMachine, source: Random | readonly Choice[]): Recording {
  const choices: Choice[] = []
  const seen: string[] = []
  machine.run({
    value: 0,
    next() {
      seen.push(describePending(machine))
      if (choices.length === 500) return -1
      const open = options(machine)
      if (open.length === 0) return -1
      const choice = source instanceof Random ? open[source.below(open.length)] : source[choices.length]
      choices.push(choice)
      this.value = choice[1]
      return machine.threads.byName(choice[0])
    },
  })
  return { choices, text: [...seen, describeEnd(machine)].join('\n') }
}

const programs: [label: string, make: () => Promise<WasmMachine>][] = [
  ['counter', () => load('counter')],
  ['mutex-counter', () => load('mutex-counter', { define: ['N=3'] })],
  ['two waiters', () => loadCase('conditions', 3)],
  ['timed wait', () => loadCase('conditions', 6)],
  ['pthread_exit', () => loadCase('threads', 2)],
  ['grandchildren', () => loadCase('threads', 9)],
  ['exit in a thread', () => loadCase('threads', 5)],
  ['once', () => load('once')],
  ['keys', () => load('keys')],
  ['allocation', () => loadCase('heap', 2)],
  ['use after free', () => loadCase('heap', 3)],
  ['spin lock', () => loadCase('spins', 2)],
  ['division by zero', () => loadCase('errors', 3)],
  ['assertion', () => loadCase('errors', 1)],
]

const fewerPoints = ['yield', 'lock,unlock,sync,atomic']

describe.each(programs)('%s', (label, make) => {
  /** Every day each program has one of the smaller sets. */
  const number = programs.findIndex(([other]) => other === label)
  it.each(['everywhere', ...(isFull ? fewerPoints : [fewerPoints[number % 2]])])(
    'is deterministic with points %s',
    async (points) => {
      const machine = await make()
      const random = new Random(7)
      machine.usePoints(parsePoints(points))
      const recordings: Recording[] = []
      for (let i = 0; i < times(40); i++) {
        const recording = record(machine, random)
        if (i % 10 === 0) {
          expect(record(machine, recording.choices).text).toBe(recording.text)
          recordings.push(recording)
        }
      }
      // Nothing that earlier executions did shows: a machine that has run nothing else sees the same.
      const fresh = await make()
      fresh.usePoints(parsePoints(points))
      for (const { choices, text } of recordings.reverse()) expect(record(fresh, choices).text).toBe(text)
    },
  )
})

it('leaves nothing behind in stacks, heap, static and thread-local data', async () => {
  const machine = await load('leftovers')
  const random = new Random(3)
  for (let i = 0; i < 20; i++) {
    record(machine, random)
    expect(machine.bug).toBe(null)
  }
})
