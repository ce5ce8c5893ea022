import {
  type CodeFunction,
  START_WITHOUT_ARGUMENT,
  START_WITHOUT_RESULT,
  type StartType,
} from '../artifact.js'

/** Functions in which threads are started although they are of another type than start functions must be. */
export class StartTypes {
  private readonly functions = new Map<number, CodeFunction>()
  private readonly seen = new Set<CodeFunction>()

  constructor(functions: readonly CodeFunction[]) {
    for (const entry of functions) {
      if (entry.startType !== undefined)
        for (const pointer of entry.pointers) this.functions.set(pointer, entry)
    }
  }

  /** How to call the start function at a pointer. */
  of(pointer: number): StartType {
    const entry = this.functions.get(pointer)
    if (entry === undefined) return 0
    this.seen.add(entry)
    return entry.startType ?? 0
  }

  /** What to tell the author of the program. */
  get warnings(): string[] {
    return Array.from(this.seen, ({ name, startType = 0 }) => {
      const wrong = [
        ...((startType & START_WITHOUT_ARGUMENT) !== 0 ? ['takes no argument'] : []),
        ...((startType & START_WITHOUT_RESULT) !== 0 ? ['returns nothing'] : []),
      ]
      return `a thread is started in ${name}, which ${wrong.join(' and ')}; it was called as what it is, but C does not allow that: write void *${name}(void *)`
    })
  }
}
