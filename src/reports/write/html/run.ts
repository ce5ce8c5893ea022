import { formatSeconds, grouped } from '../../../words/words.js'
import type { DeepeningReport, RaceReport, RaceSideReport, Report } from '../../report.js'
import { backgroundText, knowledgeText, statusText } from '../deepening.js'
import { seenText } from '../races.js'
import { costText, outlookText } from '../text.js'
import { html, type Markup } from './markup.js'
import { spacePicture } from './space.js'
import { capital } from './verdict.js'

/** About the run as a whole: what was proved, what was explored, races, numbers. */
export function runSections(report: Report): Markup {
  return html`${guarantee(report)}
${report.strategy === 'replay' ? null : spacePicture(report)}
${report.deepening ? deepening(report.deepening) : null}
${report.races.length > 0 ? races(report) : null}
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
  return html`<section><h2>State spaces</h2>
<p>A state space is all schedules that switch threads only at some points. Small ones come first; races found add points.</p>
<div class="wide" tabindex="0" role="region" aria-label="State spaces"><table class="plain"><thead><tr><th scope="col">Threads switch at</th><th scope="col">Explored</th><th scope="col">Status</th><th scope="col">Executions</th></tr></thead><tbody>
${jobs.map(
  (
    job,
  ) => html`<tr class="${job.bug ? 'bug' : job.status}"><th scope="row"><code>${job.points.replaceAll(',', ', ')}</code></th><td>${meter(job.share, `${statusNames[job.status]}`)}</td><td>${statusText(job)}</td><td class="number">${grouped(job.executions)}</td></tr>
`,
)}</tbody></table></div>
${background.filter((b) => b.executions > 0).length > 0 ? html`<ul>${background.filter((b) => b.executions > 0).map((b) => html`<li>${capital(backgroundText(b))}.</li>`)}</ul>` : null}
</section>`
}

/** A bar; never full unless it is. */
export function meter(share: number, label: string): Markup {
  const width = share >= 1 ? 100 : Math.min(99, Math.max(share > 0 ? 1 : 0, Math.floor(share * 100)))
  return html`<svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${label}, ${width} percent"><rect class="all" width="100" height="8"/><rect class="done" width="${width}" height="8"/></svg>`
}

function races({ races: list, bugs }: Report): Markup {
  return html`<section class="races"><h2>Races</h2>
<p>Two threads use the same object at the same time, and nothing makes one wait for the other.${
    bugs.length === 0 ? ' A race is no bug by itself, and no execution failed.' : null
  }</p>
${list.map(race)}</section>`
}

function race(report: RaceReport): Markup {
  const { object, message, sides, known } = report
  return html`<article><h3>${object}</h3>
<div class="pair">${sides.map(side)}</div>
<p>${capital(message)}. ${seenText(report)}.${known ? ` Known: ${knowledgeText[known]}.` : null}</p></article>`
}

function side({ location, function: name, source, threads, action, locks, stack }: RaceSideReport): Markup {
  const held = locks === null ? null : locks.length === 0 ? 'holds no lock' : `holds ${locks.join(' and ')}`
  return html`<div><p><b>${threads.join(', ')}</b> ${action} at <code>${location}</code>${name ? ` in ${name}` : null}${held ? html`<br>${held}` : null}</p>
${source === null ? null : html`<pre><code>${source}</code></pre>`}
${
  stack.length > 1
    ? html`<p><small>called from ${stack
        .slice(1, 4)
        .map((f) => `${f.function}${f.location ? ` (${f.location})` : ''}`)
        .join(', ')}</small></p>`
    : null
}</div>`
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
