import type { Script } from '../../execution/strategy.js'
import { grown } from '../../machine/growing.js'
import type { Item } from './step.js'

/** The choices that the execution of a graph to come begins with, as far as they are known. Reused. */
export class KnownBeginning implements Script {
  thread = new Int32Array(64)
  value = new Int32Array(64)
  length = 0

  of({ steps, ways, known }: Item): this {
    if (known > this.thread.length) {
      this.thread = grown(this.thread, 2 * known)
      this.value = grown(this.value, 2 * known)
    }
    for (let i = 0; i < known; i++) {
      this.thread[i] = steps[i].thread
      this.value[i] = ways[i].value
    }
    this.length = known
    return this
  }
}
