import type { Rows } from './rows.js'
import type { BugData } from './steps.js'

const namespace = 'http://www.w3.org/2000/svg'

/** Arrows beyond this many at once say nothing any more. */
const mostArrows = 150

/** How far from the right edge arrows begin and end: columns have no gap between them. */
const inset = 28

/** Arrows from steps to those that come right after them in other threads: of the chosen step, and of all in view. */
export class Arrows {
  private isOn = false
  private isPending = false
  private chosen = 0
  private readonly edgesOf = new Map<number, number[]>()

  constructor(
    private readonly data: BugData,
    private readonly rows: Rows,
    private readonly scroll: HTMLElement,
    private readonly svg: SVGSVGElement,
  ) {
    data.edges.forEach(([from, to], i) => {
      for (const end of [from, to]) {
        const edges = this.edgesOf.get(end)
        if (edges) edges.push(i)
        else this.edgesOf.set(end, [i])
      }
    })
    scroll.addEventListener('scroll', () => this.redraw(), { passive: true })
    new ResizeObserver(() => this.redraw()).observe(scroll)
  }

  /** Steps right before and right after one, in other threads. */
  neighbours(step: number): { before: number[]; after: number[] } {
    const edges = (this.edgesOf.get(step) ?? []).map((i) => this.data.edges[i])
    return {
      before: edges.filter(([, to]) => to === step).map(([from]) => from),
      after: edges.filter(([from]) => from === step).map(([, to]) => to),
    }
  }

  turn(isOn: boolean): void {
    this.isOn = isOn
    this.redraw()
  }

  choose(step: number): void {
    this.chosen = step
    this.redraw()
  }

  redraw(): void {
    if (this.isPending) return
    this.isPending = true
    requestAnimationFrame(() => {
      this.isPending = false
      this.draw()
    })
  }

  private draw(): void {
    const { svg, scroll, rows, data } = this
    svg.replaceChildren()
    if (!this.isOn) return
    svg.setAttribute('width', String(scroll.scrollWidth))
    svg.setAttribute('height', String(scroll.scrollHeight))
    const [first, end] = rows.between(scroll.scrollTop, scroll.scrollTop + scroll.clientHeight)
    const own = new Set(this.edgesOf.get(this.chosen) ?? [])
    const inView = data.edges.flatMap(([from, to], i) =>
      from >= first && to < end && !own.has(i) ? [i] : [],
    )
    for (const i of [...inView.slice(0, mostArrows), ...own]) this.arrow(i, own.has(i))
  }

  private arrow(edge: number, isOwn: boolean): void {
    const [from, to, kind] = this.data.edges[edge]
    const a = this.placeOf(from)
    const b = this.placeOf(to)
    if (a === null || b === null) return
    const goesRight = a.left < b.left
    const x1 = goesRight ? a.right - inset : a.left + 4
    const x2 = goesRight ? b.left + 2 : b.right - inset
    const bend = Math.max(24, Math.abs(x2 - x1) / 2) * (goesRight ? 1 : -1)
    const path = document.createElementNS(namespace, 'path')
    path.setAttribute('d', `M${x1},${a.y} C${x1 + bend},${a.y} ${x2 - bend},${b.y} ${x2},${b.y}`)
    const tip = document.createElementNS(namespace, 'path')
    const side = goesRight ? -6 : 6
    tip.setAttribute('d', `M${x2},${b.y} l${side},-4 l0,8 z`)
    tip.setAttribute('class', 'tip')
    const group = document.createElementNS(namespace, 'g')
    group.setAttribute('class', `${kind}${isOwn ? ' own' : ''}`)
    group.append(path, tip)
    this.svg.append(group)
  }

  private placeOf(step: number): { left: number; right: number; y: number } | null {
    const { rows, scroll } = this
    if (!rows.isShown(step)) return null
    let box = rows.links[step].getBoundingClientRect()
    // Folded away: its row stands for it.
    if (box.height === 0) box = rows.rowOf(step).querySelector('ol')!.getBoundingClientRect()
    if (box.height === 0) return null
    const { left, top } = scroll.getBoundingClientRect()
    return {
      left: box.left - left + scroll.scrollLeft,
      right: box.right - left + scroll.scrollLeft,
      y: box.top + box.height / 2 - top + scroll.scrollTop,
    }
  }
}
