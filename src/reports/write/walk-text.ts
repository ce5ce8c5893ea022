import type { SourceText } from '../../explain/source-text.js'
import type { Walk } from '../report.js'
import type { Paint } from './paint.js'
import { leftText, shortStack, timesText } from './short-stack.js'
import { shorten, wrap } from './wrap.js'

/** Lines before and after the one in question. */
const context = 3

export const walkHelp = `  Enter, n  next step            v  variables
  b         back                 t  stacks of all threads
  s         to the next switch   g N  go to step N
  p         to the switch before q  leave
  f         to the failure       h  this list
`

/** One step: which thread, why it runs, what it does, and the source around. */
export function stepText(walk: Walk, at: number, sources: SourceText, width: number, paint: Paint): string {
  const step = walk.steps[at]
  const lines: string[] = []
  const thread = walk.threads[step.thread]
  if (step.switched) lines.push(paint.warn(shorten(`── ${step.switched.reason} ──`, width)))
  const value = step.value === null ? '' : ` = ${step.value}`
  const what = [step.operation, step.object].filter(Boolean).join(' ') + value
  const place = step.location === null ? '' : `  (${step.location})`
  const head = `${at + 1}/${walk.steps.length}  ${thread}: ${what}${place}`
  lines.push(...wrap(step.failed ? paint.bad(`✗ ${head}`) : paint.strong(head), width, 4))
  if (step.file !== null && step.line !== null) {
    const { line } = step
    for (let n = line - context; n <= line + context; n++) {
      const text = sources.line(step.file, n)
      if (text === undefined || (n === line + context && text === '')) continue
      const shown = shorten(
        `${n === line ? '>' : ' '} ${String(n).padStart(4)} | ${text.replaceAll('\t', '  ')}`,
        width,
      )
      lines.push(n === line ? paint.strong(shown) : paint.faint(shown))
    }
  }
  return `${lines.join('\n')}\n`
}

/** What the variables seen so far hold after a step; those that changed in it are marked. */
export function variablesText(walk: Walk, at: number, width: number, paint: Paint): string {
  const values = new Map<string, { value: string; isNew: boolean }>()
  walk.steps.slice(0, at + 1).forEach((step, i) => {
    if (step.value === null || step.isPrivate) return
    const known = values.get(step.object)
    values.set(step.object, { value: step.value, isNew: i === at && known?.value !== step.value })
  })
  if (values.size === 0) return 'No shared variable has been used yet.\n'
  const name = Math.min(32, Math.max(...[...values.keys()].map((key) => key.length)))
  const lines = [...values].map(([key, { value, isNew }]) => {
    const text = shorten(`  ${shorten(key, name).padEnd(name)} = ${value}${isNew ? '  ← now' : ''}`, width)
    return isNew ? paint.strong(text) : text
  })
  return `${lines.join('\n')}\n`
}

/** Where every thread is: the one that runs in this step, the others before what they will do next. */
export function stacksText(walk: Walk, at: number, width: number, paint: Paint): string {
  const lines = walk.threads.flatMap((name, thread) => {
    const next = walk.steps.findIndex((step, i) => i >= at && step.thread === thread)
    const began = walk.steps.findIndex((step) => step.thread === thread)
    const state =
      next < 0 ? 'has ended' : next === at ? 'runs' : began >= at ? 'has not begun' : 'is stopped before'
    const frames = next < 0 || (began >= at && next !== at) ? [] : walk.stacks[walk.steps[next].stack]
    return [
      `${paint.strong(name)} ${state}`,
      ...shortStack(frames).map((line) => {
        if ('left' in line) return `    ${leftText(line.left)}`
        const { function: name, location } = line.frame
        return shorten(`    ${name}${location ? `  ${location}` : ''}${timesText(line.times)}`, width)
      }),
    ]
  })
  return `${lines.join('\n')}\n`
}
