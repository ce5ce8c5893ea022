import type { SourceText } from '../explain/source-text.js'
import type { Walk } from '../reports/report.js'
import { type Paint, painter } from '../reports/write/paint.js'
import { minimumWidth } from '../reports/write/text.js'
import { stacksText, stepText, variablesText, walkHelp } from '../reports/write/walk-text.js'
import type { Io } from './io.js'

/** What a line typed by the user asks for: where to go, or what to show. */
type Response = { readonly at: number } | { readonly show: string } | 'quit'

/**
 * `faultline replay --step`: walks through an execution, one line of input per command. Ends with `q` or the end of the
 * input; the program is not run again, so going back costs nothing.
 */
export async function walkThrough(walk: Walk, sources: SourceText, io: Io): Promise<void> {
  const width = Math.max(minimumWidth, io.width)
  const paint = painter(io.colour)
  if (walk.steps.length === 0) {
    io.out('There is no step to show.\n')
    return
  }
  let at = 0
  io.out(`${walkHelp}\n${stepText(walk, at, sources, width, paint)}`)
  io.out('> ')
  for await (const line of io.readLines()) {
    const response = respond(line.trim(), walk, at, width, paint)
    if (response === 'quit') return
    if ('at' in response) {
      at = response.at
      io.out(stepText(walk, at, sources, width, paint))
    } else io.out(response.show)
    io.out('> ')
  }
  io.out('\n')
}

function respond(line: string, walk: Walk, at: number, width: number, paint: Paint): Response {
  const last = walk.steps.length - 1
  const isSwitch = (i: number) => walk.steps[i].switched !== null
  const [word, argument] = line.split(/\s+/)
  switch (word) {
    case '':
    case 'n':
    case 'next':
      return at === last ? { show: 'This is the last step; b goes back, q leaves.\n' } : { at: at + 1 }
    case 'b':
    case 'back':
      return at === 0 ? { show: 'This is the first step.\n' } : { at: at - 1 }
    case 's':
    case 'switch': {
      const next = walk.steps.findIndex((_, i) => i > at && isSwitch(i))
      return next < 0 ? { show: 'No switch comes after this step; f goes to the end.\n' } : { at: next }
    }
    case 'p': {
      const before = walk.steps.findLastIndex((_, i) => i < at && isSwitch(i))
      return before < 0 ? { show: 'No switch comes before this step.\n' } : { at: before }
    }
    case 'f':
      return { at: walk.steps.findIndex((step, i) => step.failed || i === last) }
    case 'g': {
      const n = Number(argument)
      const isStep = Number.isInteger(n) && n >= 1 && n <= walk.steps.length
      return isStep ? { at: n - 1 } : { show: `Steps go from 1 to ${walk.steps.length}: g 5\n` }
    }
    case 'v':
    case 'variables':
      return { show: variablesText(walk, at, width, paint) }
    case 't':
    case 'stacks':
      return { show: stacksText(walk, at, width, paint) }
    case 'q':
    case 'quit':
      return 'quit'
    case 'h':
    case 'help':
    case '?':
      return { show: walkHelp }
    default:
      return { show: `"${line}" is no command.\n${walkHelp}` }
  }
}
