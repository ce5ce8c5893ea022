import { count, formatSeconds, grouped } from '../../../words/words.js'
import type { DeepeningReport, Report } from '../../report.js'
import { backgroundText, isBegun, statusText } from '../deepening.js'
import { costText, outlookText } from '../text.js'
import { historyPicture } from './history.js'
import { html, type Markup } from './markup.js'
import { racesSection } from './races.js'
import { sketchPicture } from './sketch.js'
import { spacePicture } from './space.js'
import { capital } from './verdict.js'

/** About the run as a whole: what was proved, what was explored, races, numbers. */
export function runSections(report: Report): Markup {
  return html`${guarantee(report)}
${report.strategy === 'replay' ? null : spacePicture(report)}
${sketchPicture(report)}
${historyPicture(report)}
${report.deepening ? deepening(report.deepening) : null}
${report.races.length > 0 ? racesSection(report) : null}
${statistics(report)}`
}

function guarantee({ guarantee, scope, caveats, verdict, incomplete }: Report): Markup | null {
  if (verdict === 'bug' && caveats.length === 0) return null
  const items = (list: readonly string[]) =>
    html`<ul>${list.map((text) => html`<li>${capital(text)}.</li>`)}</ul>`
  return html`<section class="guarantee"><h2>${verdict === 'bug' ? 'To keep in mind' : 'What is known'}</h2>
${guarantee === null ? null : html`<p class="reason">${capital(guarantee)}.</p>`}
${incomplete ? html`<p>Not covered: ${incomplete.missing}.</p>` : null}
${caveats.length > 0 ? html`<div class="caveats"><h3>But</h3>${items(caveats)}</div>` : null}
${verdict !== 'bug' && scope.length > 0 ? html`<h3>It holds for</h3>${items(scope)}` : null}
</section>`
}

const statusNames = {
  pending: 'not begun',
  running: 'begun',
  suspended: 'begun',
  complete: 'complete',
  pruned: 'pruned',
  crashed: 'given up',
}

function deepening({ jobs, background }: DeepeningReport): Markup {
  const begun = jobs.filter(isBegun)
  const idle = jobs.length - begun.length
  return html`<section><h2>State spaces</h2>
<p>A state space is all schedules that switch threads only at some points. Small ones come first; races found add points.</p>
<div class="wide" tabindex="0" role="region" aria-label="State spaces"><table class="plain"><thead><tr><th scope="col">Threads switch at</th><th scope="col">Explored</th><th scope="col">Status</th><th scope="col">Executions</th></tr></thead><tbody>
${begun.map(
  (
    job,
  ) => html`<tr class="${job.bug ? 'bug' : job.status}"><th scope="row"><code>${job.points.replaceAll(',', ', ')}</code></th><td>${meter(job.share, `${statusNames[job.status]}`)}</td><td>${statusText(job)}</td><td class="number">${grouped(job.executions)}</td></tr>
`,
)}</tbody></table></div>
${idle > 0 ? html`<p>${count(idle, 'more set was', 'more sets were')} not begun: part of another, or no time.</p>` : null}
${background.filter((b) => b.executions > 0).length > 0 ? html`<ul>${background.filter((b) => b.executions > 0).map((b) => html`<li>${capital(backgroundText(b))}.</li>`)}</ul>` : null}
</section>`
}

/** A bar; never full unless it is. */
export function meter(share: number, label: string): Markup {
  const width = share >= 1 ? 100 : Math.min(99, Math.max(share > 0 ? 1 : 0, Math.floor(share * 100)))
  return html`<svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${label}, ${width} percent"><rect class="all" width="100" height="8"/><rect class="done" width="${width}" height="8"/></svg>`
}

function statistics(report: Report): Markup {
  const { strategy, points, seed, steps, phases, statistics: more, problems, time, scope, verdict } = report
  const rows: [string, string][] = [
    ['Ran', `${costText(report)}.${outlookText(report)}`],
    ['Strategy', strategy],
    ['Threads switch at', points.replaceAll(',', ', ')],
    ...(strategy === 'replay' ? [] : ([['Seed', String(seed)]] as [string, string][])),
    ['Steps', grouped(steps)],
    ...Object.values(more).map(({ text }): [string, string] => ['And', text]),
    ...problems.map((text): [string, string] => ['Note', `${text}.`]),
    ...(time
      ? ([
          [
            'Time',
            `compiling ${formatSeconds(time.building)}, exploring ${formatSeconds(time.exploring)}, all ${formatSeconds(time.all)}`,
          ],
        ] as [string, string][])
      : []),
    ...(verdict === 'bug' && scope.length > 0
      ? ([['Holds for', scope.join(', ')]] as [string, string][])
      : []),
  ]
  return html`<section><h2>The run</h2><dl class="facts">${rows.map(
    ([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`,
  )}</dl>
${
  phases.length > 1
    ? html`<table class="plain"><thead><tr><th scope="col">Search</th><th scope="col">Executions</th><th scope="col">Redundant</th><th scope="col">Time</th></tr></thead><tbody>${phases.map(
        (p) =>
          html`<tr><th scope="row">${p.strategy}</th><td class="number">${grouped(p.executions)}</td><td class="number">${grouped(p.blocked)}</td><td class="number">${formatSeconds(p.seconds)}</td></tr>`,
      )}</tbody></table>`
    : null
}</section>`
}
