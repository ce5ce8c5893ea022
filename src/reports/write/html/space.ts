import { count, grouped, roughNumber, roughShare } from '../../../words/words.js'
import type { Report } from '../../report.js'
import { html, type Markup } from './markup.js'

const width = 720
const height = 28

interface Part {
  readonly name: string
  readonly kind: string
  readonly executions: number
}

/** A picture of what was explored: how executions ended, and how much is left by estimate. */
export function spacePicture(report: Report): Markup {
  const { executions, blocked, stoppedByAssume, cut, bugs, outlook, verdict } = report
  const failing = Math.min(
    executions,
    bugs.reduce((sum, bug) => sum + bug.count, 0),
  )
  const parts: Part[] = [
    { name: 'passed', kind: 'passed', executions: executions - failing },
    { name: 'failed', kind: 'failing', executions: failing },
    { name: 'cut short as redundant', kind: 'redundant', executions: blocked },
    { name: 'stopped by an assumption', kind: 'stopped', executions: stoppedByAssume },
    { name: 'cut at the step limit', kind: 'cut', executions: cut },
  ].filter((part) => part.executions > 0)
  const all = parts.reduce((sum, part) => sum + part.executions, 0)
  if (all === 0) return html``
  let x = 0
  const bars = parts.map((part) => {
    // What is there is to be seen, however little.
    const wide = Math.max(3, (part.executions / all) * width)
    const bar = html`<rect class="${part.kind}" x="${x.toFixed(1)}" width="${wide.toFixed(1)}" height="${height}"><title>${grouped(part.executions)} ${part.name}</title></rect>`
    x += wide
    return bar
  })
  const label = parts.map((part) => `${grouped(part.executions)} ${part.name}`).join(', ')
  return html`<section class="space"><h2>What was explored</h2>
<figure>
<svg viewBox="0 0 ${Math.ceil(x)} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}" class="bar">${bars}</svg>
<figcaption><ul class="legend">${parts.map(
    (part) =>
      html`<li><span class="swatch ${part.kind}"></span>${grouped(part.executions)} ${part.name}</li>`,
  )}</ul></figcaption></figure>
${wholeText()}</section>`

  function wholeText(): Markup | null {
    if (verdict === 'verified')
      return html`<p>${count(executions, 'execution')} stand for every schedule.</p>`
    if (outlook === null) return null
    return html`<p>By estimate ${roughShare(outlook.share)} of the state space; the whole has about ${roughNumber(outlook.executions)} executions.</p>`
  }
}
