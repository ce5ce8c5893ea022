/** Stands for what a list was given at its end. */
const ADDED = Symbol('added')

/** What was changed and what was there before, so that all of it can be changed back. */
export class Trail {
  /** Changes are kept. */
  isOn = false
  private length = 0
  private readonly places: unknown[] = []
  private readonly keys: unknown[] = []
  private readonly before: unknown[] = []

  /** How far it has come: see `goBack`. */
  get mark(): number {
    return this.length
  }

  clear(): void {
    this.length = 0
  }

  /** An entry of a list is about to change that is this now. */
  entry<T>(list: T[], index: number, before: T | undefined): void {
    if (this.isOn) this.keep(list, index, before)
  }

  /** What a map has for a key is about to change. */
  key<K, V>(map: Map<K, V>, key: K): void {
    if (this.isOn) this.keep(map, key, map.get(key))
  }

  /** A list is about to be longer by one. */
  added(list: readonly unknown[]): void {
    if (this.isOn) this.keep(list, -1, ADDED)
  }

  private keep(place: unknown, key: unknown, before: unknown): void {
    const i = this.length++
    this.places[i] = place
    this.keys[i] = key
    this.before[i] = before
  }

  /** Changes back all since then. */
  goBack(mark: number): void {
    const { places, keys, before } = this
    for (let i = this.length - 1; i >= mark; i--) {
      const place = places[i]
      if (before[i] === ADDED) (place as unknown[]).pop()
      else if (!(place instanceof Map)) (place as unknown[])[keys[i] as number] = before[i]
      else if (before[i] === undefined) place.delete(keys[i])
      else place.set(keys[i], before[i])
    }
    this.length = mark
  }
}
