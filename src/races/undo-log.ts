import { grown } from '../machine/growing.js'

/**
 * What stretches of arrays held before they were changed, so that a detector can go back to an earlier event: a
 * depth-first search leaves an execution late, and only what comes after that needs to be looked at again.
 */
export class UndoLog {
  /** The arrays, by number; asked for anew since they are replaced as they grow. */
  private readonly arrays: (() => Int32Array)[] = []
  /** Entries one after the other: the values, then where they were, how many, and in which array. */
  private log = new Int32Array(1024)
  private length = 0
  /** By event of the execution: length of the log when it began. */
  private marks = new Int32Array(256)

  /** The number of an array. */
  register(array: () => Int32Array): number {
    return this.arrays.push(array) - 1
  }

  /** What changes from now on belongs to that event. */
  beginEvent(event: number): void {
    if (event >= this.marks.length) this.marks = grown(this.marks, event * 2)
    this.marks[event] = this.length
  }

  /** Remembers `count` values of an array, which are about to change. */
  save(array: number, at: number, count: number): void {
    const end = this.length + count + 3
    if (end > this.log.length) this.log = grown(this.log, end * 2)
    const { log } = this
    const values = this.arrays[array]()
    let to = this.length
    for (let i = 0; i < count; i++) log[to++] = values[at + i]
    log[to] = at
    log[to + 1] = count
    log[to + 2] = array
    this.length = end
  }

  /** Everything as it was before that event. */
  goBack(event: number): void {
    const { log } = this
    const until = this.marks[event]
    let end = this.length
    while (end > until) {
      const values = this.arrays[log[end - 1]]()
      const count = log[end - 2]
      const at = log[end - 3]
      end -= count + 3
      for (let i = 0; i < count; i++) values[at + i] = log[end + i]
    }
    this.length = until
  }

  /** Nothing will be asked back. */
  clear(): void {
    this.length = 0
  }
}
