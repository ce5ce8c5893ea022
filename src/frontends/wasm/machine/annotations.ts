import { Mode, Op } from '../../../machine/operation.js'
import type { PointRule } from '../../../machine/points.js'
import { UnsupportedError } from '../toolchain/errors.js'
import { openCalls } from './call-stack.js'
import { resettable } from './execution-state.js'
import type { Kernel } from './kernel.js'
import { ALWAYS, CHOICES, NEVER } from './thread-states.js'
import { typeName } from './type-names.js'

/** More alternatives than anybody could try. */
const MAX_CHOICES = 1 << 16

/** What test authors write into their programs: `runtime/include/faultline.h`. */
export class Annotations {
  /**
   * A thread has stopped for ever at an assumption that does not hold. Others go on: whatever they do then, they can
   * also do while that thread has not come to its assumption yet, so nothing is found that the assumption excludes.
   */
  assumptionFailed = false

  /** What the program said about its points before main. */
  readonly rules: PointRule[] = []

  constructor(private readonly kernel: Kernel) {
    kernel.hasState(
      resettable(
        () => !this.assumptionFailed,
        () => {
          this.assumptionFailed = false
        },
      ),
    )
  }

  readonly calls = {
    fl_choose: (count: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0) {
        if (count < 1 || count > MAX_CHOICES) {
          kernel.fail('trap', `a choice among ${count} values`, kernel.callSite())
        }
        if (kernel.stopsBefore(Op.choose, -1, CHOICES, count)) return 0
      }
      const { value } = kernel
      kernel.record(Op.choose, Mode.none, -1, value)
      return value
    },

    fl_user_point: (): void => {
      const { kernel } = this
      if (kernel.phase() === 0 && kernel.stopsBefore(Op.userPoint, -1, ALWAYS, 0)) return
      kernel.journal.recordIdle(Op.userPoint)
    },

    fl_assume_failed: (): void => {
      const { kernel } = this
      if (kernel.phase() !== 0) throw new Error('a thread went on after an assumption that does not hold')
      this.assumptionFailed = true
      kernel.stopsBefore(Op.userPoint, -1, NEVER, 0)
    },

    /**
     * The section is one transition with all that follows it, up to the next point; it begins with a point. A thread that
     * spins may go through one again and again; but if it is in one already, it may be going deeper.
     */
    fl_atomic_begin: (): void => {
      const { kernel } = this
      if (kernel.phase() === 0 && kernel.stopsBefore(Op.userPoint, -1, ALWAYS, 0)) return
      if (kernel.states.sections[kernel.running] === 0) kernel.journal.recordIdle(Op.userPoint)
      else kernel.record(Op.userPoint, Mode.none, -1, -1)
      kernel.states.sections[kernel.running]++
    },

    fl_atomic_end: (): void => {
      const { kernel } = this
      // What it has done in the section is logged as part of it.
      kernel.journal.drain()
      const who = kernel.threads.labelOf(kernel.running)
      if (kernel.states.sections[kernel.running] === 0) {
        kernel.fail('lock-misuse', `${who} ends an atomic section that it did not begin`, kernel.callSite())
      }
      kernel.states.sections[kernel.running]--
    },

    fl_rule: (accept: number, name: number): void => {
      const { kernel } = this
      if (!kernel.constructing) {
        throw new UnsupportedError(
          'faultline_rule is for before main: use FAULTLINE_WITHIN or FAULTLINE_WITHOUT',
          ['faultline_rule'],
        )
      }
      this.rules.push({ accept: accept !== 0, function: kernel.memory.text(name) })
    },

    fl_reach_error: (): void => {
      const { kernel } = this
      kernel.fail('assertion', 'the program reaches an error', kernel.callSite())
    },

    fl_missing_return: (): void => {
      const { kernel } = this
      const site = kernel.callSite()
      const name = kernel.artifact.sites[site]?.function ?? 'a function'
      kernel.fail('trap', `${name} ends without return, though it must return a value`, site)
    },

    fl_uncaught: (what: number): void => {
      const { kernel } = this
      kernel.fail('uncaught', kernel.memory.text(what), kernel.callSite())
    },

    /** The type and what it says of itself, for people; where it was thrown. */
    fl_uncaught_exception: (type: number, what: number, site: number): void => {
      const { kernel } = this
      const text = what === 0 ? '' : `: ${kernel.memory.text(what)}`
      const name = typeName(kernel.memory.text(type))
      kernel.fail('uncaught', `an exception of type ${name} is thrown, and nothing catches it${text}`, site)
    },

    fl_may_be_caught: (): number => (this.mayBeCaught() ? 1 : 0),

    fl_unsupported: (what: number): void => this.refuse(this.kernel.memory.text(what)),
  }

  /** Ends the run: the program is about to do what is not provided. */
  refuse(what: string): never {
    const { artifact } = this.kernel
    const { file, line } = artifact.sites[this.kernel.callSite()] ?? {}
    const place = file && line ? `${file}:${line}: ` : ''
    throw new UnsupportedError(`${place}the program uses ${what}, which Faultline does not provide`, [what])
  }

  /** Whether a call in progress is in a block that catches something, as far as its frames tell. */
  private mayBeCaught(): boolean {
    const { kernel } = this
    const { sites } = kernel.artifact
    return kernel.constructing || openCalls(kernel, kernel.running).some((site) => sites[site]?.catches)
  }
}
