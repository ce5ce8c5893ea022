import { count } from '../../../words/words.js'
import { briefObject } from '../../build/interleaving.js'
import type { BugReport, Walk, WalkStep } from '../../report.js'
import { html, type Markup } from './markup.js'

/** Steps shown of each execution, from where they part. */
const mostSteps = 60

/** What the nearest execution that passes does differently: both from where they part, side by side. */
export function passingTwin({ walk, passing, explanation }: BugReport, n: number): Markup | null {
  if (passing === null) {
    const why = explanation.kind === 'always' ? 'No schedule passes.' : 'None was found.'
    return html`<section class="twin" id="twin${n}"><h2>An execution that passes</h2><p>${why}</p></section>`
  }
  const { common } = passing
  const fails = walk.steps[common]
  const passes = passing.walk.steps[common]
  const alike =
    common === 0 ? 'The two differ from the first step on.' : `Both do the same up to step ${common}.`
  return html`<section class="twin" id="twin${n}"><h2>An execution that passes</h2>
<p>${alike} ${fails ? html`Then <b>${walk.threads[fails.thread]}</b> goes on where it fails` : html`Then it fails`}${passes ? html`, <b>${passing.walk.threads[passes.thread]}</b> where it passes` : null}.</p>
<div class="pair">
${column('Fails', walk, common, differences(walk, passing.walk))}
${column('Passes', passing.walk, common, differences(passing.walk, walk))}
</div></section>`
}

function column(title: string, walk: Walk, from: number, different: ReadonlySet<number>): Markup {
  const rows: Markup[] = []
  let last = -1
  const end = Math.min(walk.steps.length, from + mostSteps)
  for (let i = from; i < end; i++) {
    const step = walk.steps[i]
    if (step.isPrivate) continue
    const isNew = step.thread !== last
    last = step.thread
    const classes = [
      `t${step.thread % 8}`,
      isNew ? 'first' : '',
      different.has(i) ? 'different' : '',
      step.failed ? 'failed' : '',
    ]
    rows.push(
      html`<li class="${classes.filter(Boolean).join(' ')}" value="${i + 1}">${
        isNew ? html`<b class="who">${walk.threads[step.thread]}</b>` : null
      }<span class="line">${step.line}</span> ${step.operation} <b>${briefObject(step.object, step.operation)}</b>${
        step.value === null ? null : html` <span class="value">${step.value}</span>`
      }</li>`,
    )
  }
  const left = walk.steps.length - end
  return html`<div class="${title.toLowerCase()}"><h3>${title}</h3><ol>${rows}</ol>${
    left > 0 ? html`<p>… and ${count(left, 'step')} more.</p>` : null
  }</div>`
}

/** Steps that the other execution does not have, or where they find or leave another value. */
function differences(walk: Walk, other: Walk): Set<number> {
  const theirs = new Map<string, WalkStep>()
  const rank = new Map<string, number>()
  const keyOf = (w: Walk, step: WalkStep) => {
    const base = `${w.threads[step.thread]}\n${step.operation}\n${step.object}\n${step.location}`
    const n = rank.get(base) ?? 0
    rank.set(base, n + 1)
    return `${base}\n${n}`
  }
  for (const step of other.steps) theirs.set(keyOf(other, step), step)
  rank.clear()
  const different = new Set<number>()
  walk.steps.forEach((step, i) => {
    const same = theirs.get(keyOf(walk, step))
    if (same === undefined || same.value !== step.value) different.add(i)
  })
  return different
}
