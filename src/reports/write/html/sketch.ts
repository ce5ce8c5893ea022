import { count, grouped } from '../../../words/words.js'
import type { Report, Sketch, SketchedExecution } from '../../report.js'
import { html, type Markup } from './markup.js'

const width = 720
/** Steps drawn at most. */
const mostSteps = 400

const endNames: Record<SketchedExecution['end'], string> = {
  passed: 'passed',
  failed: 'failed',
  redundant: 'cut short as redundant',
  stopped: 'stopped by an assumption',
  cut: 'cut at the step limit',
}

const endClasses: Record<SketchedExecution['end'], string> = {
  passed: 'passed',
  failed: 'failing',
  redundant: 'redundant',
  stopped: 'stopped',
  cut: 'cut',
}

/** The first executions as a tree: a line for each, from where it leaves an earlier one; colours are threads. */
export function sketchPicture({ sketch }: Report): Markup | null {
  if (sketch === undefined || sketch.executions.length < 2) return null
  const { executions, threads } = sketch
  const row = executions.length <= 12 ? 16 : executions.length <= 40 ? 9 : 5
  const bar = Math.max(3, Math.round(row * 0.6))
  const longest = Math.min(mostSteps, Math.max(...executions.map((e) => e.steps)))
  const unit = (width - 12) / longest
  const x = (step: number) => (Math.min(step, longest) * unit).toFixed(1)
  const middle = (i: number) => (i * row + bar / 2).toFixed(1)
  const height = executions.length * row
  const shapes = executions.map((execution, i) => {
    const { parent, common, turns, end, steps } = execution
    const link =
      parent < 0 ? null : html`<path class="link" d="M${x(common)},${middle(parent)} V${middle(i)}"/>`
    let at = common
    const bars = turns.map(([thread, n]) => {
      const drawn = html`<rect class="t${thread % 8}" x="${x(at)}" y="${i * row}" width="${Math.max(0.6, (Math.min(at + n, longest) - Math.min(at, longest)) * unit).toFixed(1)}" height="${bar}"/>`
      at += n
      return drawn
    })
    // Most pass: what does not is marked.
    const mark =
      end === 'passed'
        ? null
        : html`<rect class="end ${endClasses[end]}" x="${(Math.min(steps, longest) * unit + 3).toFixed(1)}" y="${i * row}" width="8" height="${bar}"/>`
    const title = `Execution ${i + 1}, ${endNames[end]}: ${parent < 0 ? '' : `as execution ${parent + 1} for ${count(common, 'step')}, then `}${whoRuns(sketch, execution)}`
    return html`${link}<g><title>${title}</title>${bars}${mark}</g>`
  })
  const kinds = [...new Set(executions.map((e) => e.end))]
  return html`<section class="sketch"><h2>The tree of executions</h2>
<p>${captionOf(sketch)} Each line is an execution, drawn from where it leaves an earlier one; colours are threads, time runs to the right.</p>
<figure>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" class="tree" style="height:${height}px" role="img" aria-label="Tree of ${count(executions.length, 'execution')}, ${kinds.map((kind) => `${executions.filter((e) => e.end === kind).length} ${endNames[kind]}`).join(', ')}">${shapes}</svg>
<figcaption><ul class="legend">${threads.map(
    (name, t) => html`<li><span class="swatch t${t % 8} thread"></span>${name}</li>`,
  )}${kinds
    .filter((kind) => kind !== 'passed')
    .map(
      (kind) => html`<li><span class="swatch ${endClasses[kind]}"></span>at its end: ${endNames[kind]}</li>`,
    )}</ul></figcaption></figure></section>`
}

function captionOf({ executions, strategy, isWhole }: Sketch): string {
  const n = grouped(executions.length)
  if (!isWhole) return `The first ${n} executions of ${strategy}.`
  return `${executions.length === 2 ? 'Both' : `All ${n}`} executions of ${strategy}.`
}

const mostTurns = 6

/** `main 3, worker 2, main 1`. */
function whoRuns({ threads }: Sketch, { turns }: SketchedExecution): string {
  const told = turns.slice(0, mostTurns).map(([thread, n]) => `${threads[thread]} ${n}`)
  return [...told, ...(turns.length > mostTurns ? ['…'] : [])].join(', ')
}
