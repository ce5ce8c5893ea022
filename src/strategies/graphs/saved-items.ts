import type { Saved } from '../../execution/strategy.js'
import type { GraphSource } from '../../memory/graph-source.js'
import type { StrategyContext } from '../registry.js'
import {
  type Forced,
  type Item,
  initial,
  isObject,
  NOWHERE,
  objectAt,
  objectPlace,
  type Step,
  type Writes,
} from './step.js'

/** A step by its thread and its place there; the initial write by -1. */
type Name = readonly [thread: number, index: number]

interface SavedItem {
  readonly steps: readonly SavedStep[]
  readonly waiting: readonly SavedStep[]
  readonly writes: readonly (readonly [place: number, steps: readonly Name[]])[]
  readonly forced: readonly (Omit<Forced, 'source'> & { readonly source: Name | null })[]
  readonly clock: number
}

/** Without what says where it is in the execution under way. */
type SavedStep = Omit<Step, 'source' | 'event' | 'end' | 'run' | 'mark'> & { readonly source: Name | null }

const nameOf = ({ thread, index }: Step): Name => [thread, index]
const sourceName = (step: Step | null): Name | null => (step === null ? null : nameOf(step))

/** Graphs to come, as JSON. */
export function saveItems(items: readonly Item[]): unknown[] {
  return items.map((item) => {
    const named = ({ event, end, run, mark, source, ...step }: Step): SavedStep => ({
      ...step,
      source: sourceName(source),
    })
    const saved: SavedItem = {
      steps: item.steps.slice(0, item.length).map(named),
      waiting: item.waiting.map(named),
      writes: [...item.writes].map(([place, steps]) => [place, steps.map(nameOf)]),
      forced: item.forced.map((next) => ({ ...next, source: sourceName(next.source) })),
      clock: item.clock,
    }
    return storable(saved)
  })
}

/** Reads them back, with the indexes of this process. */
export function loadItems(saved: readonly unknown[], source: GraphSource, context: StrategyContext): Item[] {
  const { threadHere } = context
  const locationHere = (location: number) =>
    source.locationThere?.(location, context.locationHere) ?? location
  return saved.map((stored) => loadItem(restored(stored), { threadHere, locationHere }))
}

function loadItem(
  saved: SavedItem,
  { threadHere, locationHere }: Pick<StrategyContext, 'threadHere' | 'locationHere'>,
): Item {
  const threadOrNobody = (thread: number) => (thread < 0 ? thread : threadHere(thread))
  const steps = new Map<string, Step>()
  const keyOf = ([thread, index]: Name) => `${threadOrNobody(thread)}.${index}`
  const find = (name: Name) => (name[0] < 0 ? initial : steps.get(keyOf(name))!)
  const source = (name: Name | null) => (name === null ? null : find(name))
  const placeHere = (place: number) => {
    if (place === NOWHERE) return place
    if (!isObject(place)) return locationHere(place)
    const [object, life] = objectAt(place)
    return objectPlace(locationHere(object), life)
  }
  const view = (given: readonly number[]) => {
    const here: number[] = []
    given.forEach((count, t) => {
      if (count > 0) here[threadHere(t)] = count
    })
    return Array.from(here, (count) => count ?? 0)
  }
  const load = (step: SavedStep): Step => ({
    ...step,
    thread: threadHere(step.thread),
    source: source(step.source),
    access: step.access && { ...step.access, location: locationHere(step.access.location) },
    op: step.op && {
      ...step.op,
      thread: threadHere(step.op.thread),
      object: locationHere(step.op.object),
      gives: step.op.gives < 0 ? step.op.gives : locationHere(step.op.gives),
    },
    place: placeHere(step.place),
    gives: placeHere(step.gives),
    wakes: step.wakes.map(threadHere),
    creates: threadOrNobody(step.creates),
    joins: threadOrNobody(step.joins),
    setsUp: step.setsUp < 0 ? step.setsUp : locationHere(step.setsUp),
    view: view(step.view),
    event: -1,
    end: 0,
    run: 0,
    mark: 0,
  })
  // Each comes after what it sees.
  const done = saved.steps.map((step) => {
    const loaded = load(step)
    steps.set(`${loaded.thread}.${loaded.index}`, loaded)
    return loaded
  })
  const writes: Writes = new Map(saved.writes.map(([place, names]) => [placeHere(place), names.map(find)]))
  return {
    steps: done,
    length: done.length,
    ways: [],
    known: 0,
    waiting: saved.waiting.map(load),
    writes,
    forced: saved.forced.map((next) => ({
      ...next,
      thread: threadHere(next.thread),
      source: source(next.source),
    })),
    clock: saved.clock,
  }
}

/** Values of 8 bytes are no JSON. */
function storable(item: SavedItem): unknown {
  return JSON.parse(
    JSON.stringify(item, (_, value) => (typeof value === 'bigint' ? { wide: String(value) } : value)),
  )
}

function restored(stored: unknown): SavedItem {
  return JSON.parse(JSON.stringify(stored), (_, value) =>
    typeof value?.wide === 'string' ? BigInt(value.wide) : value,
  )
}

/** What `save` wrote, divided among several: each has about as many early graphs as late ones, of which less may follow. */
export function divideGraphs(saved: Saved, parts: number): Saved[] {
  const { stack, isDfs } = saved
  const stepwise = saved.stepwise as { hasCut: boolean } | undefined
  // Who was cut begins anew from the beginning, with a larger limit.
  if (!Array.isArray(stack) || isDfs === true || stepwise?.hasCut || stack.length < 2) return [saved]
  const shares: unknown[][] = Array.from({ length: Math.min(parts, stack.length) }, () => [])
  stack.forEach((item, i) => {
    shares[i % shares.length].push(item)
  })
  return shares.map((share) => ({
    ...saved,
    stack: share,
    ...(stepwise ? { stepwise: { ...stepwise, limit: null } } : {}),
  }))
}
