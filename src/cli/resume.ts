import type { Command } from 'commander'
import type { SavedRun } from '../files/saved-run.js'
import { UserError } from '../files/user-error.js'
import { type PointSet, parsePoints } from '../machine/points.js'
import { type Ignored, parseIgnored } from '../runs/ignored.js'
import { compositeStrategies } from '../runs/plan.js'
import { pointsText } from '../runs/verdict.js'
import type { CheckFlags } from './check-options.js'

/** The options a run was saved with. Giving one of them again with another value is refused. */
export function resumedFlags(given: CheckFlags, { asked }: SavedRun, command: Command): CheckFlags {
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli'
  const keep = (option: keyof CheckFlags, isOther: boolean, was: string) => {
    if (isOther) {
      throw new UserError(`--${option}: the run was saved with ${was}; leave the option out to go on with it`)
    }
  }
  const keepValue = (option: 'strategy' | 'order' | 'seed' | 'bound' | 'steps', was: unknown, text: string) =>
    keep(
      option,
      isGiven(option) && given[option] !== (was ?? undefined),
      was === null ? text : `--${option} ${was}`,
    )
  keepValue('strategy', asked.strategy, '')
  keepValue('order', asked.order, '')
  keepValue('seed', asked.seed, '')
  keepValue('bound', asked.bound, 'no bound')
  keepValue('steps', asked.maxSteps, 'the usual limit of steps')
  keepPoints(given, asked.points, isGiven('preempt'))
  const races = asked.races ?? 'off'
  // Deepening looks for races in any case, so that nothing of before is missing.
  const hasRaces = asked.races !== null || compositeStrategies.some(({ name }) => name === asked.strategy)
  keep(
    'races',
    isGiven('races') && given.races !== races && !(hasRaces && asked.races === null),
    races === 'off' ? 'no --races: what was there before would be missing' : `--races ${races}`,
  )
  const { bound: _bound, steps: _steps, ...rest } = given
  return {
    ...rest,
    strategy: asked.strategy,
    order: asked.order,
    seed: asked.seed,
    races: isGiven('races') ? given.races! : races,
    ...(asked.bound === null ? {} : { bound: asked.bound }),
    ...(asked.maxSteps === null ? {} : { steps: asked.maxSteps }),
    ...orGiven('etaFactor', given.etaFactor ?? asked.etaFactor),
    ...orGiven('etaThreshold', given.etaThreshold ?? asked.etaThreshold),
    ...(asked.verify ? { verify: true } : {}),
    ...(asked.keepGoing ? { keepGoing: true } : {}),
    // Known bugs stay known: more can be named, and none taken back.
    ignore: [...asked.ignore.map(knownBug), ...(given.ignore ?? [])],
  }
}

function orGiven<K extends string>(key: K, value: number | null): { [P in K]?: number } {
  return (value === null ? {} : { [key]: value }) as { [P in K]?: number }
}

function keepPoints({ preempt, rules }: CheckFlags, points: PointSet, isGiven: boolean): void {
  const was = pointsText(points)
  const asked = parsePoints(preempt, rules)
  const isOther = isGiven
    ? pointsText(asked) !== was
    : rules.length > 0 && pointsText({ ...asked, kinds: points.kinds, races: points.races }) !== was
  if (isOther) {
    const option = isGiven ? 'preempt' : 'within'
    throw new UserError(
      `--${option}: the run was saved with points ${was}; leave the option out to go on with it`,
    )
  }
}

function knownBug(text: string): Ignored {
  try {
    return parseIgnored(text)
  } catch (error) {
    throw new UserError(`the saved run cannot be read: ${(error as Error).message}; start it again`)
  }
}
