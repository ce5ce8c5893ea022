import { grouped } from '../../../words/words.js'
import type { Report } from '../../report.js'
import { briefMessage, preemptionText, whereText } from '../bug-text.js'
import { html, type Markup } from './markup.js'

const badges = {
  bug: 'Bug',
  verified: 'Verified',
  bounded: 'No bug found',
  budget: 'No bug found (incomplete)',
}

/** What the whole page is about, first. */
export function verdictHeader(report: Report): Markup {
  const { verdict, program, bugs } = report
  const bug = bugs.at(0)
  const title = bug ? html`<b>${bug.kind}</b>: ${briefMessage(bug)}` : titleOf(report)
  return html`<header class="verdict ${verdict}">
<a class="skip" href="#steps1">Skip to the interleaving</a>
<p><span class="badge">${badges[verdict]}</span> <code>${program}</code></p>
<h1>${title}</h1>
${bug && bugs.length === 1 ? html`<p>${capital(whereText(bug))}, ${preemptionText(bug)}.</p>` : null}
${bugs.length > 1 ? html`<p>And ${bugs.length - 1} more.</p>` : null}
</header>`
}

/** In few words; the guarantee follows. */
function titleOf({ verdict, executions, strategy, guarantee, ignored }: Report): string {
  if (verdict === 'verified') return 'Every schedule was explored; none shows a bug'
  if (strategy === 'replay') return capital(guarantee ?? '').replace(/: .*/s, '')
  const none =
    Object.keys(ignored).length > 0
      ? 'No bug besides those ignored'
      : executions === 1
        ? 'One execution passed'
        : `All ${grouped(executions)} executions passed`
  return verdict === 'bounded'
    ? `${none}; the part asked for was explored`
    : `${none}; not every schedule was explored`
}

export function capital(text: string): string {
  return text.replace(/^./u, (c) => c.toUpperCase())
}
