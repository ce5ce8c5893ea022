import type { Report } from '../../report.js'
import { briefMessage, preemptionText, whereText } from '../bug-text.js'
import { html, type Markup } from './markup.js'

const badges = {
  bug: 'Bug',
  verified: 'Verified',
  bounded: 'No bug found',
  budget: 'No bug found, not done',
}

/** What the whole page is about, first. */
export function verdictHeader(report: Report): Markup {
  const { verdict, program, bugs, guarantee } = report
  const bug = bugs.at(0)
  const title = bug
    ? html`<b>${bug.kind}</b>: ${briefMessage(bug)}`
    : html`${verdict === 'verified' ? 'Every schedule was explored; none shows a bug' : capital(guarantee ?? '')}`
  return html`<header class="verdict ${verdict}">
<a class="skip" href="#steps1">Skip to the interleaving</a>
<p><span class="badge">${badges[verdict]}</span> <code>${program}</code></p>
<h1>${title}</h1>
${bug && bugs.length === 1 ? html`<p>${capital(whereText(bug))}, ${preemptionText(bug)}.</p>` : null}
${bugs.length > 1 ? html`<p>And ${bugs.length - 1} more.</p>` : null}
</header>`
}

export function capital(text: string): string {
  return text.replace(/^./u, (c) => c.toUpperCase())
}
