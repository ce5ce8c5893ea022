import { type BugData, firstFrom } from './steps.js'

export interface Filter {
  readonly threads: ReadonlySet<number>
  /** '' for all. */
  readonly object: string
  readonly showsPrivate: boolean
}

interface Row {
  readonly element: HTMLElement
  readonly first: number
  readonly end: number
  readonly button: HTMLButtonElement | null
  /** Steps that are folded away as long as the row is not unfolded. */
  readonly folds: ReadonlySet<number>
  isOpen: boolean
}

/** The rows of the table: which steps are shown, which are folded away. */
export class Rows {
  readonly links: readonly HTMLAnchorElement[]
  private readonly rows: Row[] = []
  private readonly firsts: number[] = []
  private readonly isOff: boolean[] = []
  private filter: Filter

  constructor(
    private readonly data: BugData,
    table: HTMLElement,
  ) {
    this.filter = { threads: new Set(data.threads.keys()), object: '', showsPrivate: false }
    const links: HTMLAnchorElement[] = []
    for (const element of table.querySelectorAll<HTMLElement>('tr.run')) {
      const first = links.length
      links.push(...element.querySelectorAll<HTMLAnchorElement>('li > a'))
      const folds = new Set<number>()
      for (let i = first; i < links.length; i++) if (links[i].parentElement!.hidden) folds.add(i)
      const button = element.querySelector<HTMLButtonElement>('.fold button')
      const row = { element, first, end: links.length, button, folds, isOpen: false }
      button?.addEventListener('click', () => this.open(row, !row.isOpen))
      // The browser has found something in what was folded away.
      element.addEventListener('beforematch', () => this.open(row, true))
      this.rows.push(row)
      this.firsts.push(first)
    }
    this.links = links
    this.apply(this.filter)
  }

  /** Shows what the filter lets through; says how many steps that is. */
  apply(filter: Filter): number {
    this.filter = filter
    const { threads, object, showsPrivate } = filter
    let shown = 0
    this.data.steps.forEach((step, i) => {
      const isIn =
        threads.has(step.thread) &&
        (showsPrivate || !step.isPrivate) &&
        (object === '' || step.object === object || step.failed === true)
      this.isOff[i] = !isIn
      if (isIn) shown++
    })
    for (const row of this.rows) this.render(row)
    return shown
  }

  isShown(step: number): boolean {
    return !this.isOff[step]
  }

  rowOf(step: number): HTMLElement {
    return this.rows[firstFrom(this.firsts, step + 1) - 1].element
  }

  /** Steps of rows between two heights of the table. */
  between(top: number, bottom: number): [number, number] {
    const at = (height: number) => {
      let low = 0
      let high = this.rows.length - 1
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (this.rows[middle].element.offsetTop <= height) low = middle
        else high = middle - 1
      }
      return this.rows[low]
    }
    return [at(top).first, at(bottom).end]
  }

  openAll(isOpen: boolean): void {
    for (const row of this.rows) this.open(row, isOpen)
  }

  /** Makes sure that a step can be seen. */
  reveal(step: number): void {
    const row = this.rows[firstFrom(this.firsts, step + 1) - 1]
    if (row.folds.has(step)) this.open(row, true)
  }

  private open(row: Row, isOpen: boolean): void {
    if (row.isOpen === isOpen || row.button === null) return
    row.isOpen = isOpen
    row.button.setAttribute('aria-expanded', String(isOpen))
    this.render(row)
  }

  private render({ element, first, end, folds, isOpen, button }: Row): void {
    const isWhole = isOpen || this.filter.object !== ''
    let shown = 0
    for (let i = first; i < end; i++) {
      const item = this.links[i].parentElement!
      if (!this.isOff[i]) shown++
      item.classList.toggle('off', this.isOff[i])
      if (!folds.has(i)) continue
      if (isWhole) item.removeAttribute('hidden')
      else item.setAttribute('hidden', 'until-found')
    }
    button?.parentElement?.classList.toggle('off', this.filter.object !== '')
    if (button)
      button.textContent = isOpen ? 'Fold' : `${folds.size} more ${folds.size === 1 ? 'step' : 'steps'}`
    element.classList.toggle('off', shown === 0)
  }
}
