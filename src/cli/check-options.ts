import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RaceClass } from '../classify/classes.js'
import type { OutputOrder } from '../classify/compare-outputs.js'
import { type HeapMode, heapModes, type MemoryModel, memoryModels } from '../machine/platform.js'
import { type PointRule, parsePoints, pointKinds } from '../machine/points.js'
import type { TransactionKind } from '../machine/transactions.js'
import { type RaceKind, raceKinds } from '../races/index.js'
import { reportWriters } from '../reports/write/index.js'
import { defaultMemory } from '../runs/budget.js'
import { type Ignored, parseIgnored } from '../runs/ignored.js'
import { auto, compositeStrategies } from '../runs/plan.js'
import { strategies } from '../strategies/index.js'
import type { OptionOrder } from '../strategies/option-order.js'
import type { StrategyEntry } from '../strategies/registry.js'
import { parseSize } from '../words/size.js'
import { list } from '../words/words.js'
import { addClassifyOptions } from './classify-options.js'
import { budget, positive, reading, wholeNumber } from './option-values.js'
import { addProgramOptions, collect } from './program-options.js'
import { testOption } from './regression-test.js'
import { addTransactionOptions } from './transaction-options.js'

/**
 * What the user wrote after `faultline check FILE…`, checked one by one but not against each other. What front ends,
 * strategies and report writers declare comes on top: see their registries.
 */
export interface CheckFlags {
  strategy: string
  preempt: string
  rules: readonly PointRule[]
  bound?: number
  executions?: number
  order: OptionOrder
  listPoints?: true
  budget: number
  cpu?: number
  workers: number
  verify?: true
  workerMemory: number
  etaFactor?: number
  etaThreshold?: number
  saveEvery: number
  quiet?: true
  verbose?: true
  seed: number
  memoryLimit: number
  keepGoing?: true
  ignore?: Ignored[]
  suppressions?: string
  races?: RaceKind | 'off'
  failOnRace?: true
  classify?: true
  primaries: number
  alternates: number
  output: OutputOrder
  failOn: readonly RaceClass[]
  trust?: string[]
  ignoreRaces?: string[]
  steps?: number
  selfCheck: number | 'deep'
  debug?: string
  out: string
  save?: string
  resume?: string
  replayAsTest?: string
  memoryModel?: MemoryModel
  heap?: HeapMode
  spurious?: number
  preferWriters?: boolean
  lockErrors?: boolean
  whatIf?: string
  transactions?: TransactionKind
  abortCodes?: string
}

/** The options of `check`. Rules of `--within` and `--without` end up in one list, in the order written. */
export function addCheckOptions(command: Command): { rules: PointRule[] } {
  const rules: PointRule[] = []
  const rule = (accept: boolean) => (name: string) => {
    rules.push({ accept, function: name })
    return name
  }
  command
    .optionsGroup('What to explore:')
    .option(
      '-s, --strategy <name>',
      `who decides the schedule: ${strategyNames().join(', ')}`,
      checkStrategy,
      auto.name,
    )
    .option(
      '--preempt <points>',
      `where threads may be switched: ${pointKinds.join(', ')}, race:SITE, words:SITE; separated by commas`,
      checkPoints,
      'everywhere',
    )
    .option('--within <function>', 'only points with this function on the call stack', rule(true))
    .option(
      '--without <function>',
      'no points with this function on the call stack; the last match wins',
      rule(false),
    )
    .option(
      '--bound <n>',
      `at most this many preemptions or delays; for ${namesOf((entry) => entry.bounds !== undefined)}`,
      wholeNumber(0),
    )
    .addOption(
      new Option(
        '--order <which>',
        `what to try first at a point; for ${namesOf((entry) => entry.ordered === true)}`,
      )
        .choices(['stay', 'preempt', 'random'])
        .default('stay'),
    )
    .addOption(
      new Option(
        '--memory-model <name>',
        'which values loads may see: sc (sequential consistency, unless given), tso, pso or c11',
      ).choices(memoryModels),
    )
    .option(
      '--spurious <n>',
      'how many waits on condition variables may end without a signal in one execution (0 unless given)',
      wholeNumber(0),
    )
    .option('--prefer-writers', 'readers wait for writers that wait for a reader-writer lock')
    .option('--lock-errors', 'misuse of mutexes and joins returns its error code and is no bug')
    .option('--what-if <place>', 'leave out the synchronisation at this line, for example queue.c:12')
    .option('--seed <n>', 'seed of all random choices', wholeNumber(0), 1)
  addTransactionOptions(command)
  command
    .option('--list-points', 'list the preemption points of the default schedule, explore nothing')
    .optionsGroup('When to stop:')
    .addOption(
      new Option('--budget <time>', 'time for exploring: 500ms, 60s, 2m, 1h or none')
        .argParser(budget)
        .default(60, '60s'),
    )
    .option('--cpu <time>', 'processor time for exploring, of all workers together: 10m', budget)
    .option('--executions <n>', 'stop after this many executions', wholeNumber(1))
    .option('--steps <n>', 'cut executions longer than this many steps', wholeNumber(1))
    .addOption(
      new Option('--memory-limit <size>', 'stop when the process and its workers have taken this much memory')
        .argParser(reading(parseSize))
        .default(defaultMemory(), '4G, less on a small machine'),
    )
    .option('--keep-going', 'go on after the first bug')
    .option(
      '--ignore <kind[@place]>',
      'step over known bugs: leak, lock-misuse@queue.c:41, assertion@push; rules out "verified"',
      ignored,
    )
    .option('--suppressions <file>', 'the same from a file, one per line')
    .optionsGroup('Iterative Deepening (auto, deepen):')
    .option(
      '--workers <n>',
      'number of worker threads; unless given, one per core for auto and deepen, else one',
      wholeNumber(1),
      availableParallelism(),
    )
    .option(
      '--worker-memory <MB>',
      'largest heap of a worker; one that needs more is stopped and replaced',
      wholeNumber(50),
      4096,
    )
    .option('--verify', 'explore the largest state space first: to prove rather than to find bugs')
    .option(
      '--eta-factor <x>',
      'stay with a job while it is estimated to take less than this many times the time left',
      positive,
    )
    .option('--eta-threshold <n>', 'how many executions it takes before an estimate counts', wholeNumber(0))
    .optionsGroup('Races:')
    .addOption(
      new Option(
        '--races [how]',
        `look for data races by pure or limited happens-before (pure unless given), or not at all`,
      )
        .choices([...raceKinds(), 'off'])
        .preset('pure'),
    )
    .option('--fail-on-race', 'exit with 1 if there is a race')
    .option('--classify', 'say what each race does; the options below are about that')
  addClassifyOptions(command)
  command
    .option(
      '--trust <name>',
      'a function or variable known to be right: no points inside the function, and no races reported',
      collect,
    )
    .option(
      '--ignore-races <name>',
      'a function or variable whose races are not reported; exploring does not change',
      collect,
    )
    .optionsGroup('Results:')
    .option('--quiet', 'show no progress')
    .option('--verbose', 'say all that is known after a run that did not complete its task')
    .option('--out <folder>', 'where failing schedules are written', '.faultline')
    .option(
      '--self-check <n>',
      'run the first n executions twice, to see that the program is deterministic; n may be all, or deep: all, and ' +
        'look after each at what the search rests on (slow; for reports of faults in faultline)',
      selfCheck,
      3,
    )
    .option(
      '--debug <file>',
      'write every execution to a file, with its events and what the search keeps (large; for reports of faults in faultline)',
    )
    .option('--save <file>', 'write the run to a file when it ends, to go on later')
    .addOption(
      new Option('--save-every <time>', 'how often to write it in the meantime')
        .argParser(budget)
        .default(10, '10s'),
    )
    .option('--resume <file>', 'go on with a run written by --save')
  for (const { option } of reportWriters) if (option) command.option(option.flags, option.help)
  command.option(testOption.flags, testOption.help)
  addStrategyOptions(command)
  addProgramOptions(command)
  command.addOption(
    new Option(
      '--heap <mode>',
      'what becomes of freed memory: fresh never gives it out again (the default), reuse does so at once',
    )
      .choices(heapModes)
      .helpGroup('For C and C++:'),
  )
  return { rules }
}

function checkStrategy(text: string): string {
  const names = strategyNames()
  if (!names.includes(text.split(':')[0])) throw new InvalidArgumentError(`Known are ${names.join(', ')}.`)
  return text
}

function namesOf(isOne: (entry: StrategyEntry) => boolean): string {
  return list(strategies.filter(isOne).map((entry) => entry.name))
}

function strategyNames(): string[] {
  return [...compositeStrategies, ...strategies].map((entry) => entry.name)
}

const checkPoints = reading((text) => {
  parsePoints(text)
  return text
})

/** Options that single strategies have. */
function addStrategyOptions(command: Command): void {
  for (const { name, options = [] } of strategies) {
    if (options.length > 0) command.optionsGroup(`For ${name}:`)
    for (const { flags, help, parse } of options) command.option(flags, help, reading(parse))
  }
}

function selfCheck(text: string): number | 'deep' {
  if (text === 'deep') return text
  return text === 'all' ? Infinity : wholeNumber(0)(text)
}

function ignored(text: string, before: Ignored[] = []): Ignored[] {
  return [...before, reading(parseIgnored)(text)]
}
