import { formatSeconds, grouped, roughShare } from '../../../words/words.js'
import type { HistoryReport, Moment, Report, SearchTimes } from '../../report.js'
import { html, type Markup } from './markup.js'

const width = 720
const height = 140
/** With fewer moments a line would be all guesswork. */
const fewestMoments = 4
const mostRows = 16

/** The run over time: how many executions there were, how much was done by estimate, and who worked on what. */
export function historyPicture({ history, seconds, verdict }: Report): Markup | null {
  if (history === undefined || history.moments.length < fewestMoments || seconds <= 0) return null
  const { moments, searches } = history
  const ran = Math.max(...moments.map((m) => m.ran), 1)
  const end = Math.max(seconds, moments.at(-1)!.seconds)
  const shares = moments.filter((m) => m.share !== null)
  const last = shares.at(-1)?.share ?? null
  const hasShares = shares.length >= fewestMoments
  const done =
    hasShares && last !== null && verdict !== 'verified'
      ? `, ${roughShare(last)} of the search by estimate at last`
      : ''
  const label = `${grouped(ran)} executions after ${formatSeconds(end)}${done}`
  return html`<section class="history"><h2>How it went</h2>
<figure>
<div class="chart">
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">
${[0.25, 0.5, 0.75].map((y) => html`<path class="rule" d="M0,${height * y} H${width}"/>`)}
${area(moments, end, ran)}
${hasShares ? shareLine(shares, end) : null}
</svg>
<span class="most">${grouped(ran)}</span><span class="start">0 s</span><span class="end">${formatSeconds(end)}</span>
</div>
<figcaption><ul class="legend"><li><span class="swatch ran"></span>executions</li>${
    hasShares
      ? html`<li><span class="swatch share"></span>part done of the search under way, estimated</li>`
      : null
  }</ul></figcaption>
</figure>
${searches.length > 1 ? timeline(searches, end) : null}
</section>`
}

function area(moments: readonly Moment[], end: number, ran: number): Markup {
  const points = moments.map((m) => point(m.seconds / end, m.ran / ran))
  // What ran at last has run from then on.
  return html`<path class="ran" d="M0,${height} L${points.join(' L')} H${width} V${height} Z"/>`
}

function shareLine(shares: readonly Moment[], end: number): Markup {
  const points = shares.map((m) => point(m.seconds / end, m.share!))
  return html`<path class="share" d="M${points.join(' L')}"/>`
}

function point(x: number, y: number): string {
  return `${(x * width).toFixed(1)},${(height - y * (height - 6)).toFixed(1)}`
}

const fates: Record<SearchTimes['status'], string> = {
  pending: 'begun',
  running: 'begun',
  suspended: 'begun',
  complete: 'all explored',
  pruned: 'part of another',
  crashed: 'given up',
}

/** A line per search, with a bar for each time that a worker was at it. */
function timeline(searches: HistoryReport['searches'], end: number): Markup {
  const shown = [...searches].sort((a, b) => a.times[0][0] - b.times[0][0]).slice(0, mostRows)
  const left = searches.length - shown.length
  return html`<h3>Who worked on what, and when</h3>
<div class="wide" tabindex="0" role="region" aria-label="Searches over time"><table class="plain timeline"><thead><tr><th scope="col">Search</th><th scope="col">Threads switch at</th><th scope="col">0 s to ${formatSeconds(end)}</th><th scope="col">In the end</th></tr></thead><tbody>
${shown.map(({ title, strategy, points, status, bug, times }) => {
  const spent = times.reduce((sum, [from, to]) => sum + to - from, 0)
  const bars = times.map(
    ([from, to]) =>
      html`<rect x="${((from / end) * 300).toFixed(1)}" width="${Math.max(1, ((to - from) / end) * 300).toFixed(1)}" height="10"/>`,
  )
  return html`<tr class="${bug ? 'bug' : status}"><th scope="row">${title} <small>${strategy}</small></th><td><code>${shortPoints(points)}</code></td><td><svg class="times" viewBox="0 0 300 10" preserveAspectRatio="none" role="img" aria-label="${formatSeconds(spent)}, first after ${formatSeconds(times[0][0])}">${bars}</svg></td><td>${bug ? 'a bug' : fates[status]}</td></tr>
`
})}</tbody></table></div>
${left > 0 ? html`<p>… and ${left} more.</p>` : null}`
}

/** Sets may name dozens of racing accesses. */
function shortPoints(points: string): string {
  const names = points.split(',')
  const kinds = names.filter((name) => !name.includes(':'))
  const races = names.length - kinds.length
  if (races <= 1) return names.join(', ')
  return `${kinds.join(', ')} and ${races} racing accesses`
}
