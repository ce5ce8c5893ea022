import type { Command } from 'commander'
import { UserError } from '../files/user-error.js'
import { isSymbolic, type SymbolicSettings } from '../frontends/symbolic-program.js'
import { parsePoints } from '../machine/points.js'
import { compositeStrategies, deepen } from '../runs/plan.js'
import { findStrategy, optionName, strategies } from '../strategies/index.js'
import type { StrategyEntry } from '../strategies/registry.js'
import { list } from '../words/words.js'
import type { CheckFlags } from './check-options.js'

/** Options of `check` that not every strategy takes, and the names of those that do. */
function limitedOptions(): ReadonlyMap<string, readonly string[]> {
  const composite = compositeStrategies.map(({ name }) => name)
  const having = (isTaker: (entry: StrategyEntry) => boolean) => strategies.filter(isTaker).map((e) => e.name)
  const own = strategies.flatMap(({ name, options = [] }) =>
    options.map((option) => [optionName(option), [name]] as const),
  )
  return new Map<string, readonly string[]>([
    ...['workers', 'workerMemory'].map((name) => [name, [...composite, ...having(isForSeveral)]] as const),
    ...['cpu', 'verify', 'etaFactor', 'etaThreshold'].map((name) => [name, composite] as const),
    ['bound', having((entry) => entry.bounds !== undefined)],
    ['order', having((entry) => entry.ordered === true)],
    ...own,
  ])
}

/** Several workers can share it. */
const isForSeveral = ({ open, divides, promise }: StrategyEntry) =>
  open !== undefined || divides !== undefined || promise === 'sample'

/** What does not go with exploring inputs, and what to do instead. */
const notWithInputs: Readonly<Record<string, string>> = {
  save: 'runs that explore inputs cannot be saved; give them a larger --budget',
  resume: 'runs that explore inputs cannot be saved; give them a larger --budget',
  races: 'races are looked for one input at a time: give it with --input',
  failOnRace: 'races are looked for one input at a time: give it with --input',
  classify: 'races are classified for one input at a time: give it with --input',
  workers: 'inputs are explored by one worker',
  cpu: 'inputs are explored by one worker: --budget limits its time',
}

function checkInputs(flags: CheckFlags, command: Command): void {
  const given: SymbolicSettings = command.opts()
  if (!isSymbolic(given)) return
  for (const [option, instead] of Object.entries(notWithInputs)) {
    const isGiven =
      command.getOptionValueSource(option) === 'cli' && !(option === 'races' && flags.races === 'off')
    if (isGiven) throw new UserError(`${written(option)} with --symbolic: ${instead}`)
  }
}

/** Options that make no sense together are refused, not ignored. */
export function checkCombination(flags: CheckFlags, command: Command): void {
  checkInputs(flags, command)
  const [name] = flags.strategy.split(':')
  const composite = compositeStrategies.find((entry) => entry.name === name)
  if (composite && flags.strategy !== name) {
    throw new UserError(`strategy "${name}" takes no argument; write just ${name}`)
  }
  const entry = composite ? undefined : findStrategy(flags.strategy).entry
  for (const [option, takers] of limitedOptions()) {
    if (command.getOptionValueSource(option) !== 'cli' || takers.includes(name)) continue
    const argument = entry?.argument ? `; ${name}:… takes ${entry.argument}` : ''
    throw new UserError(
      `${written(option)}: only for strategy ${list(takers)}, not for ${flags.strategy}${argument}`,
    )
  }
  if (composite === deepen && !parsePoints(flags.preempt).kinds.includes('everywhere')) {
    throw new UserError(
      '--preempt: deepen chooses the points itself; leave the option out, or name another strategy',
    )
  }
  if (flags.classify && flags.races === 'off') {
    throw new UserError(
      '--classify needs races to be looked for: leave --races off out, or say pure or limited',
    )
  }
  if (flags.classify && (flags.memoryModel ?? 'sc') !== 'sc') {
    // Which store a load sees is no matter of the order of steps there, which is all that is turned round.
    throw new UserError(
      '--classify: what races do is found out under sequential consistency only; leave --memory-model out',
    )
  }
  if (flags.failOnRace && flags.races === 'off') {
    throw new UserError(
      '--fail-on-race needs races to be looked for: leave --races off out, or say pure or limited',
    )
  }
}

/** `--eta-factor` for `etaFactor`. */
export function written(option: string): string {
  return `--${option.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`
}
