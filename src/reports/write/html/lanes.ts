import { basename } from 'node:path'
import { count } from '../../../words/words.js'
import { briefObject } from '../../build/interleaving.js'
import type { BugReport, Switch, WalkStep } from '../../report.js'
import { type Turn, turnsOf } from '../turns.js'
import { html, type Markup, unbroken } from './markup.js'
import { rolesOf } from './roles.js'

/** Steps of one run beyond this many are folded, all but those at its ends. */
const longestOpen = 10
const keptAtEnds = 3

/** The interleaving as a table: a column per thread, a row per run. `prefix` begins the ids of all its steps. */
export function lanes(bug: BugReport, prefix: string): Markup {
  const { walk } = bug
  const { threads, steps } = walk
  const roles = rolesOf(bug)
  const hasFiles = new Set(steps.map((s) => s.file).filter((f) => f !== null)).size > 1
  const rows = turnsOf(walk).map((run) => {
    const cells = threads.map((_, t) =>
      t === run.thread
        ? html`<td role="cell" data-thread="${threads[t]}">${switchMark(steps[run.first].switched, steps, prefix)}${operations(run)}</td>`
        : html`<td role="cell"></td>`,
    )
    const isSilent = steps.slice(run.first, run.end).every((s) => s.isPrivate)
    const steps1 = run.end - run.first === 1 ? `${run.end}` : `${run.first + 1}–${run.end}`
    return html`<tr role="row" class="run t${run.thread % 8}${isSilent ? ' private' : ''}"><th role="rowheader" scope="row">${steps1}</th>${cells}</tr>
`
  })
  return html`<table role="table" class="lanes" style="--threads:${threads.length};--column:${threads.length > 3 ? '10rem' : '10.8rem'}">
<caption>${count(steps.length, 'step')} of ${count(threads.length, 'thread')}; time runs downwards, a row is what one thread did without another in between</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Steps</th>${threads.map(
    (name, t) => html`<th role="columnheader" scope="col" class="t${t % 8}">${name}</th>`,
  )}</tr></thead>
<tbody role="rowgroup">
${rows}</tbody>
</table>`

  function operations({ first, end }: Turn): Markup {
    const shown = steps.slice(first, end).filter((s) => !s.isPrivate).length
    const isLong = shown > longestOpen
    let folded = 0
    const items: Markup[] = []
    for (let i = first; i < end; i++) {
      const isKept = i < first + keptAtEnds || i >= end - keptAtEnds || roles.has(i) || steps[i].failed
      const isFolded = isLong && !isKept
      if (isFolded) folded++
      items.push(item(steps[i], i, isFolded))
    }
    if (folded > 0) {
      const button = html`<li class="fold"><button type="button" aria-expanded="false">${count(folded, 'more step')}</button></li>`
      items.splice(keptAtEnds, 0, button)
    }
    return html`<ol>${items}</ol>`
  }

  function item(step: WalkStep, i: number, isFolded: boolean): Markup {
    const role = step.failed ? 'failed' : roles.has(i) ? 'told' : ''
    const place =
      step.line === null ? null : hasFiles ? `${basename(step.file ?? '')}:${step.line}` : step.line
    const classes = [role, step.isPrivate ? 'private' : ''].filter(Boolean).join(' ')
    const mark = step.failed ? '✗' : roles.has(i) ? '•' : ''
    return html`<li${classes ? html` class="${classes}"` : null}${isFolded ? html` hidden="until-found"` : null}><a href="#${prefix}${i + 1}" id="${prefix}${i + 1}" tabindex="-1">${
      mark
        ? html`<span class="mark" title="${step.failed ? 'failed here' : 'named by the explanation'}">${mark}</span>`
        : null
    }${place === null ? null : html`<span class="line">${place}</span>`} ${step.operation} <b>${unbroken(briefObject(step.object, step.operation))}</b>${valueText(step)}</a></li>`
  }
}

function valueText({ value, before, operation }: WalkStep): Markup | null {
  if (value === null) return null
  if (before !== null) return html` <span class="value">${before} → ${value}</span>`
  // What follows an arrow says what it found.
  const writes = /write|store/.test(operation.split(' → ')[0])
  return html` <span class="value">${writes ? '→ ' : '= '}${value}</span>`
}

const pointNames = {
  yield: 'where it gives way',
  txn: 'at a transaction',
  lock: 'at a lock',
  unlock: 'after an unlock',
  sync: 'at a synchronisation',
  atomic: 'at an atomic',
  access: 'at an access',
}

function switchMark(switched: Switch | null, steps: readonly WalkStep[], prefix: string): Markup | null {
  if (switched === null || switched.reason === '') return null
  const { reason, isPreemption, point, next, conflict } = switched
  if (!isPreemption) return html`<p class="switch">${reason}</p>`
  const before = next === null ? null : html`, before ${unbroken(next)}`
  const other =
    conflict === null
      ? null
      : html`: conflicts with <a href="#${prefix}${conflict + 1}" tabindex="-1">step ${conflict + 1}, ${steps[conflict].operation}</a>`
  return html`<p class="switch preempted"><strong>${reason}</strong> ${point ? pointNames[point] : null}${before}${other}</p>`
}
