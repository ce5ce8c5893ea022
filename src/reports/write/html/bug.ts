import { basename } from 'node:path'
import type { ExplainedStep } from '../../../files/explanation.js'
import { count, grouped } from '../../../words/words.js'
import { briefObject } from '../../build/interleaving.js'
import type { BugReport, Report, StackReport } from '../../report.js'
import { briefMessage, isWorthShowing, preemptionText, surprises, whereText } from '../bug-text.js'
import { leftText, shortStack, timesText } from '../short-stack.js'
import { quoted } from '../text.js'
import { lanes } from './lanes.js'
import { html, type Markup, unbroken } from './markup.js'
import { passingTwin } from './twin.js'
import { capital } from './verdict.js'

/** Of long outputs only the end is shown. */
const longestOutput = 20_000

/** All about one bug: why, the interleaving with what belongs beside it, the twin that passes, output and stacks. */
export function bugSection(report: Report, bug: BugReport, index: number, command: string): Markup {
  const n = index + 1
  const prefix = `b${n}s`
  return html`<section class="bug" id="bug${n}" aria-labelledby="why${n}">
${report.bugs.length > 1 ? html`<h2>${bug.kind}: ${briefMessage(bug)}</h2><p>${capital(whereText(bug))}, ${preemptionText(bug)}.</p>` : null}
<div class="why">
<h2 id="why${n}">Why it fails</h2>
<p class="reason">${unbroken(bug.explanation.text)}</p>
${surprises(bug.interleaving).map((text) => html`<p>${unbroken(text)}</p>`)}
${toldSteps(bug, prefix)}
<p class="paste"><span>Replay it:</span> <code>${command} replay ${quoted(bug.schedule)}</code> <button type="button" class="copy">Copy</button></p>
</div>
<section id="steps${n}" class="viewer" data-bug="${index}" data-prefix="${prefix}" aria-labelledby="steps-title${n}">
<h2 id="steps-title${n}">The interleaving</h2>
${toolbar(bug, n)}
<div class="split${bug.walk.threads.length > 5 ? ' many' : ''}">
<div class="scroll" tabindex="0" role="region" aria-label="Steps by thread">
${lanes(bug, prefix)}
<svg class="arrows" aria-hidden="true"></svg>
</div>
<aside class="beside" aria-label="The step chosen"></aside>
</div>
</section>
${passingTwin(bug, n)}
${stacks(bug.stacks.filter((stack) => isWorthShowing(bug, stack)))}
${output(bug)}
</section>
`
}

function toolbar({ walk }: BugReport, n: number): Markup {
  const objects = new Map<string, number>()
  for (const { object, isPrivate } of walk.steps) {
    if (object !== '' && !isPrivate) objects.set(object, (objects.get(object) ?? 0) + 1)
  }
  const sorted = [...objects].sort(([a], [b]) => (a < b ? -1 : 1))
  const hidden = walk.steps.filter((s) => s.isPrivate).length
  return html`<form class="toolbar" hidden>
<fieldset><legend>Threads</legend>${walk.threads.map(
    (name, t) =>
      html`<label class="t${t % 8}"><input type="checkbox" name="thread" value="${t}" checked> ${name}</label>`,
  )}</fieldset>
<label>Object <select name="object"><option value="">all</option>${sorted.map(
    ([name, uses]) => html`<option value="${name}">${name} (${uses})</option>`,
  )}</select></label>
<label><input type="checkbox" name="arrows"> Arrows <kbd>a</kbd></label>
${hidden > 0 ? html`<label><input type="checkbox" name="private"> Accesses that no other thread notices (${grouped(hidden)})</label>` : null}
<button type="button" name="unfold">Unfold all</button>
<details class="keys"><summary>Keys</summary><dl>
<div><dt><kbd>↓</kbd> <kbd>j</kbd> <kbd>↑</kbd> <kbd>k</kbd></dt><dd>next, previous step</dd></div>
<div><dt><kbd>s</kbd> <kbd>p</kbd></dt><dd>next, previous switch</dd></div>
<div><dt><kbd>n</kbd> <kbd>b</kbd></dt><dd>next, previous step that matters</dd></div>
<div><dt><kbd>f</kbd></dt><dd>to the failure</dd></div>
<div><dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>first, last step</dd></div>
<div><dt><kbd>a</kbd></dt><dd>arrows</dd></div>
</dl></details>
<output id="shown${n}" class="shown"></output>
</form>`
}

const roleTexts: Record<ExplainedStep['role'], string> = {
  before: 'before',
  between: 'in between',
  after: 'after',
  first: 'first',
  second: 'second',
  took: 'took',
  waits: 'waits',
  choice: 'choice',
  turning: 'turning point',
  failed: 'failed',
}

/** The operations that the explanation names, in the order they happened. */
function toldSteps({ explanation, walk }: BugReport, prefix: string): Markup | null {
  if (explanation.steps.length === 0) return null
  const stepOf = new Map(walk.steps.map(({ event }, i) => [event, i]))
  const items = explanation.steps.map((told) => {
    const thread = walk.threads.indexOf(told.thread)
    // What did not happen any more may be just what failed.
    const failed = walk.steps.findIndex(
      (s) => s.failed && s.thread === thread && s.location === told.location,
    )
    const at = told.step === null ? (failed < 0 ? undefined : failed) : stepOf.get(told.step)
    const what = html`<b>${told.thread}</b> ${told.operation} <b>${briefObject(told.object, told.operation)}</b>${told.location ? html` <code>${basename(told.location)}</code>` : null}`
    return html`<li class="t${Math.max(0, thread) % 8}"><span class="part">${roleTexts[told.role]}</span> ${
      at === undefined
        ? html`${what}${told.happened ? null : ' (did not happen any more)'}`
        : html`<a href="#${prefix}${at + 1}">step ${at + 1}</a> ${what}`
    }</li>`
  })
  return html`<ol class="parts">${items}</ol>`
}

function stacks(list: readonly StackReport[]): Markup | null {
  if (list.length === 0) return null
  return html`<section class="stacks"><h2>Call stacks</h2>${list.map(
    ({ title, thread, frames }) =>
      html`<h3>${capital(title)}${thread === null ? null : ` in ${thread}`}</h3><ol>${shortStack(frames).map(
        (line) => {
          if ('left' in line) return html`<li>${leftText(line.left)}</li>`
          const { function: name, location } = line.frame
          return html`<li><code>${name}</code>${location === null ? null : html` <small>${location}</small>`}${timesText(line.times)}</li>`
        },
      )}</ol>`,
  )}</section>`
}

function output({ output: text }: BugReport): Markup | null {
  if (text === '') return null
  const cut = text.length > longestOutput
  const shown = cut ? text.slice(-longestOutput) : text
  return html`<section><h2>What the program printed</h2>
${cut ? html`<p>${count(text.length - longestOutput, 'character')} before this are left out.</p>` : null}
<pre class="output" tabindex="0" role="region" aria-label="Output of the program">${shown}</pre></section>`
}
