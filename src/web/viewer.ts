import { Arrows } from './arrows.js'
import { Rows } from './rows.js'
import { SourceView } from './source.js'
import { History, stateView } from './state.js'
import { type BugData, element, type FileData, stepText } from './steps.js'

/** The interleaving of one bug, to walk through. */
export class Viewer {
  private readonly rows: Rows
  private readonly arrows: Arrows
  private readonly source: SourceView
  private readonly history: History
  private readonly scroll: HTMLElement
  private readonly form: HTMLFormElement
  private readonly detail = element('div', { class: 'detail' })
  private readonly state = element('div', {})
  private readonly number = element('input', { type: 'number', min: '1', 'aria-label': 'Step' })
  private readonly prefix: string
  private at = 0

  constructor(
    readonly section: HTMLElement,
    private readonly data: BugData,
    files: readonly FileData[],
    private readonly announce: (text: string) => void,
  ) {
    const find = <E extends Element>(selector: string) => section.querySelector<E>(selector)!
    this.prefix = section.dataset.prefix!
    this.scroll = find('.scroll')
    this.form = find('form')
    this.rows = new Rows(data, find('table.lanes'))
    this.arrows = new Arrows(data, this.rows, this.scroll, find<SVGSVGElement>('svg.arrows'))
    this.history = new History(data)
    this.source = new SourceView(files, data)
    find('.beside').append(this.controls(), this.detail, this.source.root, this.state)
    this.listen()
    this.form.hidden = false
    this.filter()
    const start = data.steps.findIndex((s) => s.role !== undefined || s.failed)
    this.select(Math.max(0, start), false)
  }

  /** Chooses a step, and shows all about it. */
  select(step: number, takesFocus: boolean): void {
    const { links } = this.rows
    const old = links[this.at]
    old.removeAttribute('aria-current')
    old.tabIndex = -1
    this.at = step
    this.rows.reveal(step)
    const link = links[step]
    link.setAttribute('aria-current', 'step')
    link.tabIndex = 0
    this.bringIntoView(link)
    // Rows that were never drawn have a height that was only guessed.
    requestAnimationFrame(() => {
      if (this.at === step) this.bringIntoView(link)
    })
    if (takesFocus) {
      link.focus({ preventScroll: true })
      this.scroll.scrollIntoView({ block: 'nearest' })
      const { thread } = this.data.steps[step]
      this.announce(`Step ${step + 1} of ${links.length}, ${this.data.threads[thread]}`)
    }
    this.arrows.choose(step)
    this.describe()
  }

  /** Goes to the step that an address within the page names, if it is one of these. */
  goTo(hash: string, takesFocus: boolean): boolean {
    const step = hash.startsWith(`#${this.prefix}`) ? Number(hash.slice(this.prefix.length + 1)) : Number.NaN
    if (!(step >= 1 && step <= this.data.steps.length)) return false
    this.select(step - 1, takesFocus)
    return true
  }

  /** Obeys a key; false if it means nothing here. */
  press(key: string, isInside: boolean): boolean {
    const { steps } = this.data
    const isSwitch = (i: number) => steps[i].switched !== undefined
    const matters = (i: number) =>
      steps[i].role !== undefined || steps[i].failed === true || steps[i].switched === 2
    if (['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key) && !isInside) return false
    switch (key) {
      case 'ArrowDown':
      case 'j':
        return this.move(1)
      case 'ArrowUp':
      case 'k':
        return this.move(-1)
      case 's':
        return this.move(1, isSwitch)
      case 'p':
        return this.move(-1, isSwitch)
      case 'n':
        return this.move(1, matters)
      case 'b':
        return this.move(-1, matters)
      case 'f':
        return this.jump(steps.findIndex((step, i) => step.failed || i === steps.length - 1))
      case 'Home':
        return this.jump(0)
      case 'End':
        return this.jump(steps.length - 1)
      case 'a': {
        const box = this.box('arrows')
        box.checked = !box.checked
        this.arrows.turn(box.checked)
        return true
      }
      default:
        return false
    }
  }

  /** To the next step, that way, that is shown and is such a one. */
  private move(by: number, isWanted: (step: number) => boolean = () => true): boolean {
    const { steps } = this.data
    for (let i = this.at + by; i >= 0 && i < steps.length; i += by) {
      if (this.rows.isShown(i) && isWanted(i)) {
        this.select(i, true)
        return true
      }
    }
    this.announce(by > 0 ? 'No such step after this one' : 'No such step before this one')
    return true
  }

  private jump(step: number): boolean {
    if (this.rows.isShown(step)) this.select(step, true)
    return true
  }

  private box(name: string): HTMLInputElement {
    return this.form.elements.namedItem(name) as HTMLInputElement
  }

  private listen(): void {
    const { form, scroll, section } = this
    form.addEventListener('submit', (event) => event.preventDefault())
    form.addEventListener('change', () => this.filter())
    form.querySelector<HTMLButtonElement>('button[name=unfold]')!.addEventListener('click', (event) => {
      const button = event.currentTarget as HTMLButtonElement
      const isOpen = button.textContent === 'Unfold all'
      this.rows.openAll(isOpen)
      button.textContent = isOpen ? 'Fold all' : 'Unfold all'
    })
    scroll.addEventListener('click', (event) => {
      const link = (event.target as Element).closest('a')
      if (link && this.goTo(link.hash, true)) event.preventDefault()
    })
    section.addEventListener('click', (event) => {
      const button = (event.target as Element).closest<HTMLButtonElement>('button[data-key]')
      if (button) this.press(button.dataset.key!, true)
    })
    this.number.addEventListener('change', () => {
      this.goTo(`#${this.prefix}${this.number.value}`, false)
    })
  }

  private filter(): void {
    const chosen = [...this.form.querySelectorAll<HTMLInputElement>('input[name=thread]:checked')]
    const shown = this.rows.apply({
      threads: new Set(chosen.map((box) => Number(box.value))),
      object: (this.form.elements.namedItem('object') as HTMLSelectElement).value,
      showsPrivate: this.box('private')?.checked ?? false,
    })
    const all = this.data.steps.length
    this.form.querySelector('output')!.textContent = shown === all ? '' : `${shown} of ${all} steps shown`
    this.arrows.turn(this.box('arrows').checked)
  }

  /** Scrolls the table, not the page. */
  private bringIntoView(link: HTMLElement): void {
    const { scroll } = this
    const box = link.getBoundingClientRect()
    const frame = scroll.getBoundingClientRect()
    const head = scroll.querySelector('thead')!.getBoundingClientRect().height
    if (box.top < frame.top + head + 20 || box.bottom > frame.bottom - 30) {
      scroll.scrollTop += box.top - frame.top - head - (frame.height - head) / 3
    }
    // The numbers of steps stay at the left.
    const left = frame.left + scroll.querySelector('th')!.getBoundingClientRect().width
    if (box.left < left) scroll.scrollLeft += box.left - left - 8
    else if (box.right > frame.right) scroll.scrollLeft += box.right - frame.right + 8
  }

  private controls(): HTMLElement {
    const button = (key: string, sign: string, label: string) =>
      element(
        'button',
        { type: 'button', 'data-key': key, 'aria-label': label, title: `${label} (${key})` },
        sign,
      )
    this.number.max = String(this.data.steps.length)
    return element(
      'div',
      { class: 'controls', role: 'group', 'aria-label': 'Walk through' },
      button('p', '«', 'Previous switch'),
      button('k', '‹', 'Previous step'),
      this.number,
      element('span', {}, `of ${this.data.steps.length}`),
      button('j', '›', 'Next step'),
      button('s', '»', 'Next switch'),
      button('f', '✗', 'To the failure'),
    )
  }

  private describe(): void {
    const { data, at, history } = this
    const step = data.steps[at]
    this.number.value = String(at + 1)
    const { before, after } = this.arrows.neighbours(at)
    const link = (i: number) =>
      element(
        'a',
        { href: `#${this.prefix}${i + 1}`, class: `t${data.steps[i].thread % 8}` },
        `step ${i + 1}, ${data.threads[data.steps[i].thread]}: ${stepText(data.steps[i])}`,
      )
    const facts: [string, Node[]][] = []
    const frames = data.stacks[step.stack] ?? []
    if (frames.length > 0) {
      const text = frames.map((f) => f.function + (f.location ? ` (${f.location})` : '')).join(', called by ')
      facts.push(['In', [document.createTextNode(text)]])
    }
    if (step.locks) facts.push(['Holds', [document.createTextNode(step.locks.join(', '))]])
    if (before.length > 0) facts.push(['After', before.map(link)])
    if (after.length > 0) facts.push(['Before', after.slice(0, 5).map(link)])
    this.detail.replaceChildren(
      element(
        'p',
        { class: `what t${step.thread % 8}${step.failed ? ' failed' : ''}` },
        element('b', {}, data.threads[step.thread]),
        ' ',
        stepText(step),
      ),
      element(
        'dl',
        {},
        ...facts.map(([name, nodes]) =>
          element('div', {}, element('dt', {}, name), ...nodes.map((node) => element('dd', {}, node))),
        ),
      ),
    )
    const others = data.threads.flatMap((_, t) => {
      const next = history.nextOf(t, at)
      return t === step.thread || next < 0 || !history.hasBegun(t, at) ? [] : [data.steps[next]]
    })
    this.source.show(step, others)
    this.state.replaceChildren(stateView(data, history, at))
  }
}
