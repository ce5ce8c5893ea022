import { EventKind } from '../../../memory/graph.js'
import { MutexType, mutexState, type ObjectOperation, type ObjectState } from '../../../memory/objects.js'
import { RecallRecorder } from './recall-recorder.js'
import { NONE } from './recall-tree.js'
import { SOURCES } from './thread-states.js'
import { Redo } from './weak/redo.js'

/**
 * What there is besides under a weak memory model: transitions are done again to the execution graph, and what `GraphSource`
 * shows of threads is known by how far they have come.
 */
export abstract class RecallWeakly extends RecallRecorder {
  /** Under a weak memory model: memory is as it is where the execution begins. */
  protected prepareMemory(): void {
    const { weak } = this.kernel
    if (weak === null) {
      this.redo = null
      return
    }
    if (this.depth > 0) return
    if (weak.log !== this.log || this.redo?.weak !== weak) this.redo = new Redo(weak, this.log)
    weak.log = this.log
    this.log.isOpen = false
    this.redo.begin()
  }

  /** Whether weak memory, if there is one, is as the last execution left it, all of which was done from memory. */
  protected get canTakeBack(): boolean {
    const { weak } = this.kernel
    return weak === null || (!this.isHere && this.redo?.weak === weak && weak.log === this.log)
  }

  protected override goTo(depth: number): void {
    const { redo, nodeOf } = this
    const from = this.depth
    super.goTo(depth)
    if (redo === null || depth === 0) return
    redo.goBack(depth)
    for (let d = from - 1; d >= depth; d--) {
      redo.announceAgain(this.thread[d], nodeOf[this.thread[d]])
      if (this.child[d] !== NONE) redo.dismiss(this.child[d])
    }
  }

  /** The known transition of a thread from where it is; what it does to weak memory is done then. */
  protected findAndRedo(thread: number, alternative: number): number {
    const { redo, log } = this
    if (redo === null) return this.find(thread, alternative)
    const access = log.access[this.nodeOf[thread]]
    const isEvent = access?.isEvent ?? false
    const source = isEvent ? redo.sourceOf(thread, alternative) : NONE
    const branch = !isEvent
      ? alternative
      : access!.kind === EventKind.write
        ? 0
        : log.valueId(this.kernel.weak!.memory.graph.value[source])
    const edge = this.find(thread, branch)
    if (edge === NONE || !redo.transition(thread, edge, source)) return NONE
    this.isNewest = redo.isNewest
    return edge
  }

  /** Who has come to another operation says what it is; false where that cannot be told. */
  protected announce(thread: number, edge: number): boolean {
    const { redo, tree, objects, nodeOf } = this
    const child = tree.child[edge]
    if (child !== NONE) redo!.announce(child, nodeOf[child], undefined)
    const node = nodeOf[thread]
    const isEvent = this.log.access[node]?.isEvent ?? false
    return redo!.announce(thread, node, isEvent ? objects.valueAt(tree.location[node]) : undefined)
  }

  /** Of a thread, by what is known of it: what `GraphSource` tells. */
  pendingOperation(thread: number): ObjectOperation | null {
    return this.log.operation[this.nodeOf[thread]]
  }

  isAboutToAccess(thread: number): boolean {
    return this.tree.condition[this.nodeOf[thread]] === SOURCES
  }

  /** What a mutex holds; undefined where that is not known, as how often its holder has locked it. */
  mutexState({ object, detail }: ObjectOperation): ObjectState | undefined {
    const owner = this.objects.ownerOf(object)
    return owner < 0 || (owner > 0 && detail === MutexType.recursive) ? undefined : mutexState(owner, 1)
  }

  childrenOf(thread: number): number {
    return this.log.children[this.nodeOf[thread]]
  }

  objectOf(thread: number): number {
    return this.tree.object[this.nodeOf[thread]]
  }
}
