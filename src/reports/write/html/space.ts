import { count, grouped, roughNumber, roughShare } from '../../../words/words.js'
import type { Report } from '../../report.js'
import { html, type Markup } from './markup.js'

const width = 720
const height = 28

interface Part {
  readonly name: string
  /** Class of the style sheet. */
  readonly kind: string
  readonly amount: number
}

/** Parts of a whole side by side, and what they are; nothing where there are none. */
export function stackedBar(all: readonly Part[]): Markup {
  const parts = all.filter((part) => part.amount > 0)
  const sum = parts.reduce((total, part) => total + part.amount, 0)
  let x = 0
  const bars = parts.map((part) => {
    // What is there is to be seen, however little.
    const wide = Math.max(3, (part.amount / sum) * width)
    const bar = html`<rect class="${part.kind}" x="${x.toFixed(1)}" width="${wide.toFixed(1)}" height="${height}"><title>${grouped(part.amount)} ${part.name}</title></rect>`
    x += wide
    return bar
  })
  const label = parts.map((part) => `${grouped(part.amount)} ${part.name}`).join(', ')
  return html`<figure>
<svg viewBox="0 0 ${Math.ceil(x)} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}" class="bar">${bars}</svg>
<figcaption><ul class="legend">${parts.map(
    (part) => html`<li><span class="swatch ${part.kind}"></span>${grouped(part.amount)} ${part.name}</li>`,
  )}</ul></figcaption></figure>`
}

/** A picture of what was explored: how executions ended, and how much is left by estimate. */
export function spacePicture(report: Report): Markup {
  const { executions, blocked, postponed, stoppedByAssume, cut, bugs, outlook, verdict, ignored, phases } =
    report
  if (executions + blocked + postponed + stoppedByAssume + cut === 0) return html``
  const failing = Math.min(
    executions,
    bugs.reduce((sum, bug) => sum + bug.count, 0),
  )
  const known = Object.values(ignored).reduce((sum, n) => sum + n, 0)
  return html`<section class="space"><h2>What was explored</h2>
${stackedBar([
  { name: 'passed', kind: 'passed', amount: Math.max(0, executions - failing - known) },
  { name: 'failed', kind: 'failing', amount: failing },
  { name: 'showed a bug that is ignored', kind: 'ignored', amount: known },
  { name: 'cut short as redundant', kind: 'redundant', amount: blocked },
  { name: 'cut for now and explored again', kind: 'redundant', amount: postponed },
  { name: 'stopped by an assumption', kind: 'stopped', amount: stoppedByAssume },
  { name: 'cut at the step limit', kind: 'cut', amount: cut },
])}
${wholeText()}</section>`

  function wholeText(): Markup | null {
    // Of several searches not all were needed for the proof.
    if (verdict === 'verified') {
      return phases.length > 1
        ? null
        : html`<p>${count(executions, 'execution stands', 'executions stand')} for every schedule.</p>`
    }
    if (outlook === null) return null
    return html`<p>By estimate ${roughShare(outlook.share)} of the state space; the whole has about ${roughNumber(outlook.executions)} executions.</p>`
  }
}
