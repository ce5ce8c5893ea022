import type { Kernel, ObjectNamePart } from './kernel.js'

/** Names that the program gives to its objects, for reports. */
export class ObjectNames implements ObjectNamePart {
  private readonly named = new Map<number, { readonly size: number; readonly name: string }>()
  /** In the order in which they were given. */
  private readonly given: { readonly address: number; readonly size: number; readonly name: string }[] = []

  constructor(private readonly kernel: Kernel) {
    kernel.hasState({
      reset: () => this.goBack(0),
      mark: () => this.given.length,
      goBack: (count) => this.goBack(count),
    })
  }

  readonly calls = {
    fl_name_object: (address: number, size: number, name: number): void => {
      this.given.push({ address: address >>> 0, size: size >>> 0, name: this.kernel.memory.text(name) })
      this.named.set(address >>> 0, this.given[this.given.length - 1])
    },
  }

  private goBack(count: number): void {
    if (this.given.length === count) return
    this.given.length = count
    this.named.clear()
    for (const object of this.given) this.named.set(object.address, object)
  }

  /** The name of the object that holds an address, with the offset inside it. */
  at(address: number): string | undefined {
    const exact = this.named.get(address)
    if (exact !== undefined) return exact.name
    for (const [start, { size, name }] of this.named) {
      if (address > start && address < start + size) return `${name}+${address - start}`
    }
    return undefined
  }
}
