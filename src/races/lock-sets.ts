/**
 * Sets of locks, numbered; 0 is the empty one. A lock is a location, so that kind and address together tell locks apart
 * (Blum, "Practical Concurrency Testing", §3.4.4), held shared or exclusively. A set may hold a lock several times: readers may enter twice.
 */
export class LockSets {
  /** By set: locks as `location * 2 + (exclusive ? 1 : 0)`, ascending. */
  private readonly sets: (readonly number[])[] = [[]]
  private readonly numbers = new Map<string, number>([['', 0]])
  /** By set and lock taken or given back: the set that results. */
  private readonly with = new Map<number, number>()
  private readonly without = new Map<number, number>()
  /** By two sets: 0 not known, 1 nothing in common, 2 a lock that keeps their holders apart. */
  private common = new Uint8Array(16 * 16)
  private width = 16

  locksOf(set: number): readonly number[] {
    return this.sets[set]
  }

  add(set: number, location: number, exclusive: boolean): number {
    const lock = location * 2 + (exclusive ? 1 : 0)
    const key = set * 2 ** 32 + lock
    let known = this.with.get(key)
    if (known === undefined) {
      known = this.numberOf([...this.sets[set], lock].sort((a, b) => a - b))
      this.with.set(key, known)
    }
    return known
  }

  /** Takes a lock out once; a set without it stays as it is. */
  remove(set: number, location: number, exclusive: boolean): number {
    const lock = location * 2 + (exclusive ? 1 : 0)
    const key = set * 2 ** 32 + lock
    let known = this.without.get(key)
    if (known === undefined) {
      const locks = this.sets[set]
      const at = locks.indexOf(lock)
      known = at < 0 ? set : this.numberOf(/* mutant: gives one back */ locks.toSpliced(at, 1))
      this.without.set(key, known)
    }
    return known
  }

  /** Whether both have a lock that at least one of them holds exclusively. */
  exclude(a: number, b: number): boolean {
    if (a === 0 || b === 0) return false
    const at = a * this.width + b
    if (this.common[at] === 0) this.common[at] = /* mutant: lockset rule */ this.haveCommon(a, b) ? 2 : 1
    return this.common[at] === 2
  }

  private haveCommon(a: number, b: number): boolean {
    return this.sets[a].some((lock) =>
      this.sets[b].some(
        (other) =>
          /* mutant: same lock */ lock >> 1 === other >> 1 && /* mutant: shared */ ((lock | other) & 1) === 1,
      ),
    )
  }

  private numberOf(locks: readonly number[]): number {
    const key = locks.join()
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    const number = this.sets.push(locks) - 1
    this.numbers.set(key, number)
    if (number >= this.width) {
      this.width *= 2
      this.common = new Uint8Array(this.width * this.width)
    }
    return number
  }
}
