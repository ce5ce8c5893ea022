import type { MemoryModel } from '../../src/machine/platform.js'
import { type Candidate, type Event, isSequentiallyConsistent, isStoreOrdered, rc11 } from './axioms.js'
import type { Instruction, Threads } from './litmus-text.js'
import { Relation } from './relation.js'

export interface Answer {
  /** Final memory and registers, one text each. */
  readonly outcomes: ReadonlySet<string>
  /** Execution graphs: pairs of reads-from and modification order. */
  readonly graphs: number
  /** Some execution has a data race; of C11. */
  readonly isRacy: boolean
}

/** What a thread will do once it is known what each of its reads sees. */
interface Read {
  readonly thread: number
  readonly index: number
  readonly at: string
}

type Pick = ReadonlyMap<string, string>

/**
 * Every reads-from and every modification order of a program without branches, judged by the axioms. A read or an update
 * is named by thread and place; sources are the same names, or `init`.
 */
export function enumerate(threads: Threads, model: MemoryModel): Answer {
  const outcomes = new Set<string>()
  let graphs = 0
  let isRacy = false
  for (const pick of picks(threads)) {
    const run = evaluate(threads, pick)
    if (run === null) continue
    for (const candidate of orders(run)) {
      if (model === 'c11') {
        const { isConsistent, isRacy: races } = rc11(candidate.candidate)
        if (!isConsistent) continue
        isRacy ||= races
      } else if (
        !(model === 'sc'
          ? isSequentiallyConsistent(candidate.candidate)
          : isStoreOrdered(candidate.candidate, model))
      )
        continue
      graphs++
      outcomes.add(describe(run, candidate.last))
    }
  }
  return { outcomes, graphs, isRacy }
}

const reading: readonly Instruction['op'][] = ['read', 'exchange', 'add', 'cas', 'lock', 'unlock']
const writing: readonly Instruction['op'][] = ['write', 'exchange', 'add', 'cas', 'lock', 'unlock']

function name(thread: number, index: number): string {
  return `${thread}.${index}`
}

/** All choices of a source for each read. */
function* picks(threads: Threads): Generator<Pick> {
  const reads: Read[] = []
  const writes = new Map<string, string[]>()
  threads.forEach((code, thread) => {
    code.forEach((i, index) => {
      if (!('at' in i)) return
      if (reading.includes(i.op)) reads.push({ thread, index, at: i.at })
      if (!writes.has(i.at)) writes.set(i.at, ['init'])
      if (writing.includes(i.op)) writes.get(i.at)!.push(name(thread, index))
    })
  })
  const pick = new Map<string, string>()
  function* choose(k: number): Generator<Pick> {
    if (k === reads.length) {
      yield pick
      return
    }
    const { thread, index, at } = reads[k]
    for (const source of writes.get(at)!) {
      if (source === name(thread, index)) continue
      pick.set(name(thread, index), source)
      yield* choose(k + 1)
    }
  }
  yield* choose(0)
}

interface Evaluated {
  readonly threads: Threads
  readonly pick: Pick
  /** By name: what was seen, what was written; a compare-exchange that failed writes nothing. */
  readonly seen: ReadonlyMap<string, number>
  readonly written: ReadonlyMap<string, number>
  readonly registers: ReadonlyMap<string, number>
}

/** Values, if reads and program order make no circle and every source is a write. Locks see the lock free. */
function evaluate(threads: Threads, pick: Pick): Evaluated | null {
  const seen = new Map<string, number>()
  const written = new Map<string, number>()
  const registers = new Map<string, number>()
  const at = threads.map(() => 0)
  for (let progress = true; progress; ) {
    progress = false
    threads.forEach((code, thread) => {
      for (; at[thread] < code.length; at[thread]++) {
        const i = code[at[thread]]
        const own = name(thread, at[thread])
        const source = pick.get(own)
        if (source !== undefined) {
          const isDone = source === 'init' || isBefore(at, source)
          if (!isDone) return
          if (source !== 'init' && !written.has(source)) return
          seen.set(own, source === 'init' ? 0 : written.get(source)!)
        }
        if ('into' in i) registers.set(`${thread}:${i.into}`, seen.get(own)!)
        const value = () => {
          const operand = (i as { value: { register: string | null; constant: number } }).value
          const base = operand.register === null ? 0 : (registers.get(`${thread}:${operand.register}`) ?? 0)
          return base + operand.constant
        }
        switch (i.op) {
          case 'write':
          case 'exchange':
            written.set(own, value())
            break
          case 'add':
            written.set(own, seen.get(own)! + value())
            break
          case 'cas':
            if (seen.get(own) === i.expected) written.set(own, value())
            break
          case 'lock':
            if (seen.get(own) !== 0) return
            written.set(own, 1)
            break
          case 'unlock':
            // Only the lock before it in its thread can be what it sees.
            if (source === 'init' || Number(source!.split('.')[0]) !== thread) return
            written.set(own, 0)
            break
        }
        progress = true
      }
    })
  }
  return at.every((index, thread) => index === threads[thread].length)
    ? { threads, pick, seen, written, registers }
    : null
}

function isBefore(at: readonly number[], source: string): boolean {
  const [thread, index] = source.split('.').map(Number)
  return at[thread] > index
}

/** All modification orders. */
function* orders(run: Evaluated): Generator<{ candidate: Candidate; last: ReadonlyMap<string, string> }> {
  const byLocation = new Map<string, string[]>()
  run.threads.forEach((code, thread) => {
    code.forEach((i, index) => {
      if (!('at' in i)) return
      if (!byLocation.has(i.at)) byLocation.set(i.at, [])
      if (run.written.has(name(thread, index))) byLocation.get(i.at)!.push(name(thread, index))
    })
  })
  const locations = [...byLocation.keys()]
  const chosen = new Map<string, readonly string[]>()
  function* choose(k: number): Generator<{ candidate: Candidate; last: ReadonlyMap<string, string> }> {
    if (k === locations.length) {
      const last = new Map(locations.map((at) => [at, chosen.get(at)!.at(-1) ?? 'init']))
      yield { candidate: build(run, locations, chosen), last }
      return
    }
    for (const order of permutations(byLocation.get(locations[k])!)) {
      chosen.set(locations[k], order)
      yield* choose(k + 1)
    }
  }
  yield* choose(0)
}

function* permutations(items: readonly string[]): Generator<readonly string[]> {
  if (items.length <= 1) {
    yield items
    return
  }
  for (let i = 0; i < items.length; i++) {
    for (const rest of permutations([...items.slice(0, i), ...items.slice(i + 1)])) yield [items[i], ...rest]
  }
}

function build(
  run: Evaluated,
  locations: readonly string[],
  chosen: ReadonlyMap<string, readonly string[]>,
): Candidate {
  const events: Event[] = []
  const place: { index: number; part: number }[] = []
  const readOf = new Map<string, number>()
  const writeOf = new Map<string, number>()
  const initial = new Map<string, number>()
  const add = (event: Event, index: number, part: number) => {
    place.push({ index, part })
    return events.push(event) - 1
  }
  for (const at of locations) {
    initial.set(at, add({ thread: -1, type: 'W', at, order: 'na', isUpdate: false }, 0, 0))
  }
  run.threads.forEach((code, thread) => {
    code.forEach((i, index) => {
      const own = name(thread, index)
      if (i.op === 'fence') {
        add({ thread, type: 'F', at: null, order: i.order, isUpdate: false }, index, 0)
        return
      }
      const isUpdate = i.op !== 'read' && i.op !== 'write'
      const order =
        i.op === 'lock'
          ? 'acq'
          : i.op === 'unlock'
            ? 'rel'
            : i.op === 'cas' && !run.written.has(own)
              ? i.failure
              : i.order
      if (run.seen.has(own)) readOf.set(own, add({ thread, type: 'R', at: i.at, order, isUpdate }, index, 0))
      if (run.written.has(own))
        writeOf.set(own, add({ thread, type: 'W', at: i.at, order, isUpdate }, index, 1))
    })
  })
  const n = events.length
  const sb = new Relation(n, (a, b) => {
    if (events[a].thread < 0) return events[b].thread >= 0
    if (events[a].thread !== events[b].thread) return false
    return (
      place[a].index < place[b].index || (place[a].index === place[b].index && place[a].part < place[b].part)
    )
  })
  const source = new Map<number, number>()
  for (const [reader, from] of run.pick) {
    const { at } = events[readOf.get(reader)!]
    source.set(readOf.get(reader)!, from === 'init' ? initial.get(at!)! : writeOf.get(from)!)
  }
  const rf = new Relation(n, (a, b) => source.get(b) === a)
  const position = new Map<number, number>()
  for (const at of locations) {
    position.set(initial.get(at)!, 0)
    chosen.get(at)!.forEach((write, k) => {
      position.set(writeOf.get(write)!, k + 1)
    })
  }
  const mo = new Relation(
    n,
    (a, b) =>
      events[a].at !== null &&
      events[a].at === events[b].at &&
      position.has(a) &&
      position.has(b) &&
      position.get(a)! < position.get(b)!,
  )
  const pairs = new Map([...readOf].flatMap(([own, r]) => (writeOf.has(own) ? [[r, writeOf.get(own)!]] : [])))
  const rmw = new Relation(n, (a, b) => pairs.get(a) === b)
  return { events, sb, rf, mo, rmw }
}

function describe({ registers, written, threads }: Evaluated, last: ReadonlyMap<string, string>): string {
  const locks = new Set(threads.flat().flatMap((i) => (i.op === 'lock' ? [i.at] : [])))
  const memory = [...last]
    .filter(([at]) => !locks.has(at))
    .map(([at, write]) => `${at}=${write === 'init' ? 0 : written.get(write)}`)
  const values = [...registers].map(([register, value]) => `${register}=${value}`)
  return [...memory, ...values].sort().join(' ')
}
