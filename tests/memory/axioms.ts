import type { OrderName } from './litmus-text.js'
import { identity, Relation } from './relation.js'

/** An event; an update is two of them, a read and right after it a write, related by `rmw`. */
export interface Event {
  /** -1: the initial writes. */
  readonly thread: number
  readonly type: 'R' | 'W' | 'F'
  readonly at: string | null
  readonly order: OrderName
  /** It belongs to an update, or to a compare-exchange that failed. */
  readonly isUpdate: boolean
}

/** One way an execution could have gone; `sb` is program order, with the initial writes before everything. */
export interface Candidate {
  readonly events: readonly Event[]
  readonly sb: Relation
  readonly rf: Relation
  readonly mo: Relation
  readonly rmw: Relation
}

const releasing: readonly OrderName[] = ['rel', 'ar', 'sc']
const acquiring: readonly OrderName[] = ['con', 'acq', 'ar', 'sc']

/** What all models use. */
function derived({ events, rf, mo }: Candidate) {
  const n = events.length
  const inverse = new Relation(n, (a, b) => rf.has(b, a))
  const fr = inverse.seq(mo).and((a, b) => a !== b)
  const sameLocation = (a: number, b: number) => events[a].at !== null && events[a].at === events[b].at
  const set = (holds: (e: Event) => boolean) => identity(n, (a) => holds(events[a]))
  return { n, fr, sameLocation, set }
}

/** Nothing comes between what an update saw and what it wrote. */
function areUpdatesAtomic(candidate: Candidate, fr: Relation): boolean {
  return !candidate.rmw.meets(fr.seq(candidate.mo))
}

export function isSequentiallyConsistent(candidate: Candidate): boolean {
  const { sb, rf, mo } = candidate
  const { fr } = derived(candidate)
  return areUpdatesAtomic(candidate, fr) && sb.or(rf, mo, fr).isAcyclic()
}

/**
 * TSO and PSO as in "Herding Cats" (Alglave, Maranget, Tautschnig 2014), x86's locked instructions being full fences. C's
 * orders as compilers map them: a seq_cst store is followed by a full fence; under PSO, release stores and release
 * fences come with a store barrier.
 */
export function isStoreOrdered(candidate: Candidate, model: 'tso' | 'pso'): boolean {
  const { events, sb, rf, mo } = candidate
  const { fr, sameLocation } = derived(candidate)
  if (!areUpdatesAtomic(candidate, fr)) return false
  if (!sb.and(sameLocation).or(rf, mo, fr).isAcyclic()) return false
  const isFull = (a: number) => events[a].isUpdate || (events[a].type === 'F' && events[a].order === 'sc')
  const isWrite = (a: number) => events[a].type === 'W'
  const fenceBetween = (a: number, b: number) =>
    events.some((f, i) => f.type === 'F' && releasing.includes(f.order) && sb.has(a, i) && sb.has(i, b))
  const kept = sb.and((a, b) => {
    if (events[a].thread < 0 || isFull(a) || isFull(b)) return true
    if (events[a].type === 'F' || events[b].type === 'F') return false
    if (!isWrite(a) || events[a].order === 'sc') return true
    if (!isWrite(b)) return false
    return model === 'tso' || releasing.includes(events[b].order) || fenceBetween(a, b)
  })
  const rfe = rf.and((a, b) => events[a].thread !== events[b].thread)
  return kept.or(rfe, mo, fr).isAcyclic()
}

/**
 * Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI 2017, figure by figure; but for
 * release sequences, which later stores of the same thread do not carry on, as in C++20.
 */
export function rc11(candidate: Candidate): { readonly isConsistent: boolean; readonly isRacy: boolean } {
  const { events, sb, rf, mo, rmw } = candidate
  const { n, fr: rb, sameLocation, set } = derived(candidate)
  const isAtomic = (e: Event) => e.order !== 'na'
  const F = set((e) => e.type === 'F')
  const atomicW = set((e) => e.type === 'W' && isAtomic(e))
  const atomicR = set((e) => e.type === 'R' && isAtomic(e))
  const release = set((e) => releasing.includes(e.order))
  const acquire = set((e) => acquiring.includes(e.order))
  const step = rf.seq(rmw)
  const rs = atomicW.seq(step.closed().maybe())
  const sw = release.seq(F.seq(sb).maybe(), rs, rf, atomicR, sb.seq(F).maybe(), acquire)
  const hb = sb.or(sw).closed()
  const eco = rf.or(mo, rb).closed()
  const isCoherent = hb.isIrreflexive() && hb.seq(eco).isIrreflexive()
  if (!isCoherent || !areUpdatesAtomic(candidate, rb)) return { isConsistent: false, isRacy: false }
  const scb = sb.or(
    sb
      .and((a, b) => !sameLocation(a, b))
      .seq(
        hb,
        sb.and((a, b) => !sameLocation(a, b)),
      ),
    hb.and(sameLocation),
    mo,
    rb,
  )
  const sequential = set((e) => e.order === 'sc')
  const fences = set((e) => e.type === 'F' && e.order === 'sc')
  const maybeHb = hb.maybe()
  const pscBase = sequential.or(fences.seq(maybeHb)).seq(scb, sequential.or(maybeHb.seq(fences)))
  const pscFences = fences.seq(hb.or(hb.seq(eco, hb)), fences)
  const isConsistent = pscBase.or(pscFences).isAcyclic() && sb.or(rf).isAcyclic()
  const races = new Relation(
    n,
    (a, b) =>
      a !== b &&
      sameLocation(a, b) &&
      (events[a].type === 'W' || events[b].type === 'W') &&
      events[a].thread >= 0 &&
      events[b].thread >= 0 &&
      events[a].thread !== events[b].thread &&
      !(isAtomic(events[a]) && isAtomic(events[b])) &&
      !hb.has(a, b) &&
      !hb.has(b, a),
  )
  return { isConsistent, isRacy: races.meets(races) }
}
