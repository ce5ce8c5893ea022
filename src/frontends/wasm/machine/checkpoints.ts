import type { CheckpointPart, Kernel } from './kernel.js'
import type { Tape } from './tape.js'

/** To run one transition again takes about as long as to keep and bring back this many bytes. */
const BYTES_PER_STEP = 2048
/** Transitions between two checkpoints, at least. */
const LEAST_STEPS = 3
/** Checkpoints on one path. */
const MOST = 4096
/** More than a checkpoint takes besides what `StatePart.usedBytes` counts. */
const OVERHEAD = 1 << 16

/** Where to make checkpoints: nowhere, where it saves time, or wherever it is possible, which is for tests. */
export type CheckpointPolicy = 'off' | 'worthwhile' | 'everywhere'

/**
 * States of the execution under way, so that the next one can begin where it leaves this one, instead of running all
 * that they share again. An optimisation only: whoever goes back finds everything as a run from the beginning would
 * have left it; tests compare both.
 *
 * A checkpoint can be made whenever no thread is on the WebAssembly stack: at a change of threads. All that the program
 * knows is then in its memory, threads included, which are unwound. It is kept together with what the kernel knows. The
 * tables of threads, locations and sites are not: they only ever grow, and an index means the same in every execution.
 *
 * Checkpoints lie one above the other, in the order of the path; going back to one forgets those above it.
 */
export class Checkpoints implements CheckpointPart {
  tape!: Tape
  private count = 0
  private leaving = 0
  /** Per checkpoint: transitions done before it, and where it ends on the tape. */
  private readonly depths = new Int32Array(MOST)
  private readonly ends = new Int32Array(MOST)

  constructor(
    private readonly kernel: Kernel,
    readonly policy: CheckpointPolicy,
  ) {}

  forget(): void {
    this.count = 0
  }

  /** Where the tape is not in use. */
  get end(): number {
    return this.startOf(this.count)
  }

  /** Makes a checkpoint, if one is worth it here. All threads are stopped, `depth` transitions are done. */
  consider(depth: number): void {
    const { count, tape, kernel } = this
    const steps = depth - (count === 0 ? 0 : this.depths[count - 1])
    const isWanted = this.policy === 'everywhere' ? steps > 0 : this.isClose(depth, steps)
    if (!isWanted || count === MOST) return
    const bytes = kernel.state.usedBytes()
    const isCheap = bytes <= steps * BYTES_PER_STEP || this.policy === 'everywhere'
    tape.at = this.startOf(count)
    if (!isCheap || !tape.hasRoom(bytes + OVERHEAD) || !kernel.state.save(tape)) return
    this.depths[count] = depth
    this.ends[count] = tape.at
    this.count = count + 1
  }

  /**
   * The next execution leaves the last one at that depth: forgets what lies deeper. How many transitions are done at the
   * last checkpoint that is left, 0 if none is.
   */
  keepUpTo(depth: number): number {
    this.leaving = depth
    while (this.count > 0 && this.depths[this.count - 1] > depth) this.count--
    return this.count === 0 ? 0 : this.depths[this.count - 1]
  }

  /** Goes back to the last checkpoint. */
  goBack(): void {
    this.tape.at = this.startOf(this.count - 1)
    this.kernel.state.load(this.tape)
  }

  /**
   * Whether that depth is on the way to where the execution leaves the last one, and close to it: a depth-first search
   * soon comes back to the place where it branched, and rarely to others.
   */
  private isClose(depth: number, steps: number): boolean {
    const ahead = this.leaving - depth
    return ahead >= 0 && steps >= LEAST_STEPS && 2 * ahead <= steps
  }

  private startOf(checkpoint: number): number {
    return checkpoint === 0 ? this.tape.start : this.ends[checkpoint - 1]
  }
}
