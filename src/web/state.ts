import { type BugData, element, firstFrom } from './steps.js'

/** What is known of an execution after each of its steps. */
export class History {
  private readonly stepsOf: number[][]

  constructor(private readonly data: BugData) {
    this.stepsOf = data.threads.map(() => [])
    data.steps.forEach((step, i) => {
      this.stepsOf[step.thread].push(i)
    })
  }

  /** The step that a thread does next, at that step or later; -1 if none. */
  nextOf(thread: number, at: number): number {
    const own = this.stepsOf[thread]
    return own[firstFrom(own, at)] ?? -1
  }

  hasBegun(thread: number, at: number): boolean {
    return (this.stepsOf[thread][0] ?? Infinity) < at
  }

  /** What shared objects hold after a step, and whether that step changed them. */
  values(at: number): Map<string, { value: string; isNew: boolean }> {
    const values = new Map<string, { value: string; isNew: boolean }>()
    for (let i = 0; i <= at; i++) {
      const { value, object, isPrivate } = this.data.steps[i]
      if (value === undefined || object === undefined || isPrivate) continue
      values.set(object, { value, isNew: i === at && values.get(object)?.value !== value })
    }
    return values
  }
}

/** Threads, locks and values after a step, as tables. */
export function stateView(data: BugData, history: History, at: number): HTMLElement {
  const threads = data.threads.map((name, t) => {
    const next = history.nextOf(t, at)
    const step = data.steps[next]
    const state =
      next < 0
        ? 'has no more steps'
        : next === at
          ? 'runs'
          : history.hasBegun(t, at)
            ? `will ${step.operation} ${step.brief ?? step.object ?? ''}`
            : 'has not begun'
    const locks = step?.locks ?? []
    return element(
      'tr',
      { class: `t${t % 8}` },
      element('th', { scope: 'row' }, name),
      element('td', {}, state),
      element('td', {}, locks.join(', ')),
    )
  })
  const values = [...history.values(at)].map(([name, { value, isNew }]) =>
    element(
      'tr',
      isNew ? { class: 'new' } : {},
      element('th', { scope: 'row' }, name),
      element('td', {}, value, isNew && ' ← now'),
    ),
  )
  return element(
    'section',
    { class: 'state' },
    table('Threads', ['Thread', 'Now', 'Holds'], threads),
    values.length > 0 && table('Values', ['Object', 'Holds'], values),
  )
}

function table(title: string, heads: readonly string[], rows: readonly HTMLElement[]): HTMLElement {
  return element(
    'table',
    {},
    element('caption', {}, title),
    element('thead', {}, element('tr', {}, ...heads.map((head) => element('th', { scope: 'col' }, head)))),
    element('tbody', {}, ...rows),
  )
}
