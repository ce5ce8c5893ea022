import { briefFunction } from '../../../words/function-name.js'
import { resettable } from './execution-state.js'
import type { Kernel } from './kernel.js'

/** The start function of a `std::thread`, by `runtime/include/__thread/thread.h`: what it runs comes first. */
const LIBRARY_START = /\b__thread_main<(.*)>$/

/** People know threads by what they run. */
export class ThreadLabels {
  /** By table slot: name of the function. */
  private readonly names: string[] = []
  /** By thread: what its label was last made of. */
  private readonly labelled: number[] = []
  /** What threads that have named themselves in this execution were called before. */
  private readonly renamed = new Map<number, string>()

  constructor(private readonly kernel: Kernel) {
    for (const { name, pointers } of kernel.artifact.functions) {
      for (const slot of pointers) this.names[slot] = name
    }
    kernel.threads.label(kernel.threads.root(0), 'main')
    kernel.hasState(
      resettable(
        () => this.renamed.size === 0,
        () => this.reset(),
      ),
    )
  }

  private reset(): void {
    if (this.renamed.size === 0) return
    for (const [thread, label] of this.renamed) this.kernel.threads.label(thread, label)
    this.renamed.clear()
  }

  readonly calls = {
    fl_name_thread: (name: number): void => {
      const { threads, memory, running } = this.kernel
      if (!this.renamed.has(running)) this.renamed.set(running, threads.labelOf(running))
      threads.label(running, `${memory.text(name)} (${threads.names[running]})`)
    },
  }

  label(thread: number, start: number, argument: number): void {
    const { threads, memory } = this.kernel
    const [, callable] = LIBRARY_START.exec(this.names[start] ?? '') ?? []
    // A function pointer is the first member of what the thread was given.
    const isPointer = callable !== undefined && /\(\*\)/.test(first(callable))
    const slot = isPointer ? memory.words[argument >>> 2] : start
    if (this.labelled[thread] === slot) return
    this.labelled[thread] = slot
    const name =
      callable === undefined || isPointer ? this.names[slot] : lambda(briefFunction(first(callable)))
    threads.label(thread, `${briefFunction(name ?? 'thread')} (${threads.names[thread]})`)
  }
}

/** The first of a list of template arguments. */
function first(list: string): string {
  let depth = 0
  for (let i = 0; i < list.length; i++) {
    if ('<({'.includes(list[i])) depth++
    else if ('>)}'.includes(list[i])) depth--
    else if (list[i] === ',' && depth === 0) return list.slice(0, i)
  }
  return list
}

/** `main::$_0` is the first lambda of `main`, as is `main::'lambda'()`; then come `$_1` and `'lambda0'`. */
function lambda(name: string): string {
  const [, outer, rank] = /^(.*?)(?:::)?\$_(\d+)$/.exec(name) ?? []
  if (rank !== undefined) return `${outer} lambda ${Number(rank) + 1}`.trim()
  const [, scope, inner] = /^(.*)::'lambda(\d*)'\(.*\)$/.exec(name) ?? []
  if (inner === undefined) return name
  return `${scope.replace(/\([^()]*\)(?: const)?$/, '')} lambda ${inner === '' ? 1 : Number(inner) + 2}`
}
