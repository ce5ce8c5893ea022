import type { ObjectKind } from '../../../machine/names.js'
import { isInLibrary, ownCall } from './call-stack.js'
import type { Kernel } from './kernel.js'
import { ALWAYS } from './thread-states.js'

/** In a word of an object that was destroyed: no owner, no setting. Any initialiser clears it. */
export const DESTROYED_OWNER = 1 << 30
/** What a word that says whether its object is alive holds once it was destroyed. */
export const DESTROYED = 0x64656164

export interface SyncObjectOptions {
  /** What is logged. */
  readonly kind: ObjectKind
  /** What people call it. */
  readonly name: string
  /** Bytes of it that count. */
  readonly size?: number
  /** Where what a thread waits for begins, from its address on. */
  readonly offset?: number
  /** What calls conflict on, if not on the object as a whole. */
  readonly locate?: (address: number) => number
}

/** What the calls on synchronisation objects of one kind share. */
export class SyncObjects {
  private readonly kind: ObjectKind
  private readonly name: string
  private readonly size: number | undefined
  private readonly offset: number
  private readonly locate: ((address: number) => number) | undefined

  constructor(
    private readonly kernel: Kernel,
    { kind, name, size, offset = 0, locate }: SyncObjectOptions,
  ) {
    this.kind = kind
    this.name = name
    this.size = size
    this.offset = offset
    this.locate = locate
  }

  location(address: number): number {
    return this.kernel.addresses.object(this.kind, address, this.size)
  }

  /** See `Kernel.stopsBefore`; what cannot be such an object is a bug at once. */
  stopsBefore(kind: number, address: number, condition = ALWAYS): boolean {
    this.kernel.faults.checkObject(this.name, address)
    const location = this.locate === undefined ? this.location(address) : this.locate(address)
    return this.kernel.stopsBefore(kind, location, condition, address + this.offset)
  }

  /** Ends the execution: the running thread does something to an object that it must not do. */
  misuse(verb: string, address: number, why: string): never {
    return misuse(this.kernel, verb, this.nameOf(address), why)
  }

  /** Fails unless the word that says whether an object is alive says so. */
  checkState(verb: string, address: number, state: number, alive: number): void {
    if (state === DESTROYED) this.misuse(verb, address, 'which was destroyed')
    if (state !== alive) this.misuse(verb, address, 'which was not initialised')
  }

  private nameOf(address: number): string {
    const described = this.kernel.describe(this.location(address))
    return this.kind === 'barrier' ? described.replace(/^barrier/, this.name) : described
  }
}

/** Ends the execution: the running thread does something that it must not do, at its pending operation. */
export function misuse(kernel: Kernel, verb: string, what: string, why: string, site?: number): never {
  const { threads, pending, running } = kernel
  const message = `${threads.labelOf(running)} ${verb} ${what}, ${why}`
  return kernel.fail('lock-misuse', message, site ?? ownSite(kernel, pending.site[running]))
}

/** Where the program called the library, if that is where the operation is. */
function ownSite(kernel: Kernel, site: number): number {
  const { sites } = kernel.artifact
  if (!isInLibrary(sites[site])) return site
  return ownCall(sites, kernel.placeOf(site).calls) ?? site
}
