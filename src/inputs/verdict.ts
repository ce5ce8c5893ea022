import type { StopReason } from '../runs/search.js'
import type { Judgement } from '../runs/verdict.js'
import { count, formatSeconds, list } from '../words/words.js'
import type { PathCounts } from './path-tree.js'

/** All that a verdict on inputs rests on. */
export interface InputEvidence {
  readonly stopped: StopReason
  /** Of each input that was explored as far as it was to be. */
  readonly judgements: readonly Judgement[]
  /** Inputs that were not, or not to the end. */
  readonly left: number
  readonly counts: PathCounts
  /** Inputs that did not do what they were made for. */
  readonly missed: number
  /** What was varied. */
  readonly names: readonly string[]
}

const endings: Partial<Record<StopReason, string>> = {
  budget: 'time ran out',
  memory: 'memory ran out (--memory-limit)',
  interrupted: 'it was interrupted',
  executions: 'the number of executions asked for was reached',
}

/**
 * Says what is known and no more. "For every input" needs all of: the schedules of every input found were explored to the end,
 * every other way to decide was tried or is impossible, and decisions were made in an order that does not depend on the
 * schedule (docs/symbolic.md says why that is needed).
 */
export function judgeInputs(evidence: InputEvidence): Judgement {
  const { judgements, left, names } = evidence
  const worst =
    judgements.find(({ verdict }) => verdict === 'budget') ??
    judgements.find(({ verdict }) => verdict === 'bounded')
  const inherited = [...new Set(judgements.flatMap(({ caveats }) => caveats))]
  const inputs = count(judgements.length, 'input')
  if (left > 0 || worst?.verdict === 'budget') {
    const covered = `${inputs} explored`
    const missing =
      left > 0
        ? `${count(left, 'more input was', 'more inputs were')} not explored to the end`
        : 'not all schedules of each were'
    const why = endings[evidence.stopped]
    return {
      verdict: 'budget',
      guarantee: `${covered}, ${missing}; none shows a bug, others may`,
      caveats: [...inherited, ...leftOut(evidence)],
      incomplete: {
        covered,
        missing: `${missing}${why ? `, because ${why}` : ''}`,
        stopped: evidence.stopped,
      },
    }
  }
  if (names.length === 0) return judgements[0]
  const caveats = [...inherited, ...leftOut(evidence)]
  const [{ guarantee }] = judgements
  const schedules = worst?.guarantee ?? guarantee ?? ''
  if (leftOut(evidence).length > 0) {
    return {
      verdict: 'bounded',
      guarantee: `for each of ${inputs}: ${schedules}; other values of ${list(names)} may`,
      caveats,
    }
  }
  return {
    verdict: worst ? 'bounded' : 'verified',
    guarantee: `for every value of ${list(names)}, of which ${count(judgements.length, 'stands', 'stand')} for all: ${schedules}`,
    caveats,
  }
}

/** What keeps the inputs explored from standing for all others. */
function leftOut({ counts, missed }: InputEvidence): string[] {
  const caveats: string[] = []
  if (counts.unknown > 0)
    caveats.push(
      `the solver gave up on ${count(counts.unknown, 'condition')}: inputs that meet them were not tried`,
    )
  if (counts.cutValues > 0)
    caveats.push(
      `at ${count(counts.cutValues, 'place')} a value of the input is used as an address, by the host or in floating point, and not all values were tried`,
    )
  if (counts.unordered > 0)
    caveats.push(
      'threads that run at the same time depend on the input: inputs that matter only in another order of what they decide may be missing',
    )
  if (counts.spun > 0)
    caveats.push(
      'a thread waits in a loop: that nothing changes there was judged by the inputs that were run',
    )
  if (missed > 0) caveats.push(`${count(missed, 'input')} did not do what the conditions had promised`)
  return caveats
}

export function statisticsText(
  inputs: number,
  { paths, queries, waysTaken, ways, unknown }: Readonly<PathCounts>,
  solverSeconds: number,
): string {
  const gave = unknown > 0 ? `, ${unknown} given up` : ''
  return (
    `${count(inputs, 'input')}, ${count(paths, 'path')}; ${count(queries, 'question')} to the solver${gave}, ${formatSeconds(solverSeconds)}; ` +
    `${waysTaken} of ${count(ways, 'way', 'ways')} at branches on the input taken.`
  )
}
