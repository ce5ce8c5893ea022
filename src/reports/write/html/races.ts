import type { RaceKnowledge, RaceReport, RaceSideReport, Report } from '../../report.js'
import { knowledgeText } from '../deepening.js'
import { seenText } from '../races.js'
import { html, type Markup } from './markup.js'
import { stackedBar } from './space.js'
import { capital } from './verdict.js'

/** Races that are open from the beginning. */
const mostOpen = 3

const kinds: Record<RaceKnowledge, string> = {
  'both-orders-bug': 'failing',
  untested: 'cut',
  'both-orders-pass': 'passed',
  'one-order': 'stopped',
  'no-race': 'redundant',
}

/** What races there are, what is known of them, and each in detail. */
export function racesSection({ races, bugs }: Report): Markup {
  const known = (Object.keys(kinds) as RaceKnowledge[]).map((knowledge) => ({
    name: knowledgeText[knowledge],
    kind: kinds[knowledge],
    amount: races.filter((race) => (race.known ?? 'untested') === knowledge).length,
  }))
  return html`<section class="races"><h2>Races</h2>
<p>Two threads use the same object at the same time, and nothing makes one wait for the other.${
    bugs.length === 0 ? ' A race is no bug by itself, and no execution failed.' : null
  } What is known of them:</p>
${stackedBar(known)}
${races.map((race, i) => raceDetails(race, i < mostOpen))}</section>`
}

function raceDetails(report: RaceReport, isOpen: boolean): Markup {
  const { object, message, sides, known } = report
  const [a, b] = sides.map(({ location, action }) => `${action}${location ? ` at ${location}` : ''}`)
  return html`<details${isOpen ? html` open` : null}><summary><b>${object}</b> ${a}, ${b}</summary>
<div class="pair">${sides.map(side)}</div>
<p>${capital(message)}. ${seenText(report)}.${known ? ` Known: ${knowledgeText[known]}.` : null}</p></details>`
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
