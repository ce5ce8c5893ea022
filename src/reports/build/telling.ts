import { isNameless } from '../../explain/object-names.js'
import type { Recording } from '../../explain/recording.js'
import type { Bug } from '../../machine/bug.js'
import type { Machine } from '../../machine/machine.js'
import { announcedMode, Op } from '../../machine/operation.js'
import { dependent } from '../../ordering/dependence.js'

/** Who gave memory back is half the story of these. */
function isOfHeap(bug: Bug | null): boolean {
  return bug !== null && /free|heap|leak/.test(bug.kind)
}

/** An operation on an object, as event number `at`. */
interface Use {
  readonly at: number
  readonly thread: number
  readonly mode: number
  readonly location: number
}

/** Which operations of an execution say something about its interleaving: the others only fill a table. */
export class Telling {
  /** Event by which each thread was created; -1 for those that were there from the beginning. */
  private readonly createdAt = new Map<number, number>()
  /** Of each event: whether another thread than its own was alive. */
  private readonly hasCompany: boolean[] = []
  /** By location: the last use by each thread in each mode, since creation comes before all that conflicts. */
  private readonly uses = new Map<number, Map<string, Use>>()
  private readonly contended = new Map<number, boolean>()
  /** Event after which there is more than one thread; -1 where there always was. */
  private readonly firstCreation: number

  constructor(
    private readonly machine: Machine,
    private readonly recording: Recording,
  ) {
    const { events, transitions } = recording
    const alive = new Set<number>(transitions.map(({ thread }) => thread))
    for (const { kind, other } of events) if (kind === Op.create) alive.delete(other)
    const areSeveral = alive.size > 1
    transitions.forEach(({ thread, stop, firstEvent }, i) => {
      const end = transitions[i + 1]?.firstEvent ?? events.length
      for (let at = firstEvent; at < end; at++) {
        const { kind, other } = events[at]
        if (kind === Op.create) {
          this.createdAt.set(other, at)
          alive.add(other)
        }
        this.hasCompany.push(alive.size > (alive.has(thread) ? 1 : 0))
        this.note({ ...events[at], at })
      }
      if (stop.kind === 'ended') alive.delete(thread)
    })
    this.firstCreation = areSeveral ? -1 : Math.min(...this.createdAt.values())
    // What a thread was about to do is often the other half of a race.
    for (const [thread, { location, kind }] of recording.ends)
      this.note({ at: events.length, thread, location, mode: announcedMode[kind] })
  }

  private note(use: Use): void {
    const { location, thread, mode } = use
    if (location < 0) return
    const known = this.uses.get(location) ?? new Map<string, Use>()
    known.set(`${thread} ${mode}`, use)
    this.uses.set(location, known)
  }

  /**
   * Not what the library does before the user's code begins and after it has ended; not what is set up or given back while
   * there is one thread. Of plain accesses those to memory that several threads use; but where the library makes them, or
   * nobody can say what that memory is, only if threads could really get in each other's way there.
   */
  isTelling(at: number): boolean {
    const { events, bug, shared } = this.recording
    const { kind, location, place, frames, object, isSilent } = events[at]
    if (isSilent || (place === null && frames.length > 0 && kind !== Op.create)) return false
    if (kind === Op.mutexSetup) return this.hasCompany[at]
    if (kind === Op.free && !isOfHeap(bug)) return this.hasCompany[at] && this.isContended(location)
    if (kind !== Op.load && kind !== Op.store) return true
    const isPlain = frames[0]?.isLibrary !== true && !isNameless(object)
    if (isPlain) return shared.has(location) || this.machine.locations.overlaps[location] !== null
    return at > this.firstCreation && this.isContended(location)
  }

  /** Whether two threads conflict there, of which neither was yet to be created: what is handed to a new thread is not shared. */
  private isContended(location: number): boolean {
    let known = this.contended.get(location)
    if (known === undefined) {
      const meeting = [location, ...(this.machine.locations.overlaps[location] ?? [])]
      const uses = meeting.flatMap((one) => [...(this.uses.get(one)?.values() ?? [])])
      known = uses.some((a) => uses.some((b) => this.meet(a, b)))
      this.contended.set(location, known)
    }
    return known
  }

  private meet(a: Use, b: Use): boolean {
    if (a.thread === b.thread || !this.isAfterCreation(a, b.thread) || !this.isAfterCreation(b, a.thread))
      return false
    return dependent(this.machine.locations, a.location, a.mode, b.location, b.mode)
  }

  private isAfterCreation({ at }: Use, thread: number): boolean {
    return at > (this.createdAt.get(thread) ?? -1)
  }
}
