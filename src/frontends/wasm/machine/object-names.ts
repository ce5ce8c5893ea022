import type { Kernel } from './kernel.js'

/** Names that the program gives to its objects, for reports. */
export class ObjectNames {
  private readonly named = new Map<number, { readonly size: number; readonly name: string }>()

  constructor(private readonly kernel: Kernel) {
    kernel.onReset(() => this.named.clear())
  }

  readonly calls = {
    fl_name_object: (address: number, size: number, name: number): void => {
      this.named.set(address >>> 0, { size: size >>> 0, name: this.kernel.memory.text(name) })
    },
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
