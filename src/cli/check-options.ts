import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type HeapMode, heapModes } from '../machine/platform.js'
import { type PointRule, parsePoints, pointKinds } from '../machine/points.js'
import { type RaceKind, raceKinds } from '../races/index.js'
import { auto, deepening } from '../runs/auto.js'
import { defaultMemory, parseBudget } from '../runs/budget.js'
import { type Ignored, parseIgnored } from '../runs/ignored.js'
import type { Order } from '../strategies/depth-first.js'
import { strategies } from '../strategies/index.js'
import { addProgramOptions, collect } from './program-options.js'

/**
 * What the user wrote after `faultline check FILE…`, checked one by one but not against each other. What front ends
 * declare comes on top: see `program-options.ts`.
 */
export interface CheckFlags {
  strategy: string
  preempt: string
  rules: readonly PointRule[]
  bound?: number
  executions?: number
  order: Order
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
  memory?: number
  memoryLimit: number
  priorities?: string
  keepGoing?: true
  ignore?: Ignored[]
  suppressions?: string
  races?: RaceKind | 'off'
  failOnRace?: true
  trust?: string[]
  ignoreRaces?: string[]
  steps?: number
  selfCheck: number
  out: string
  save?: string
  resume?: string
  json?: true
  heap?: HeapMode
  spurious?: number
}

/** The options of `check`. Rules of `--within` and `--without` end up in one list, in the order written. */
export function addCheckOptions(command: Command): { rules: PointRule[] } {
  const rules: PointRule[] = []
  const rule = (accept: boolean) => (name: string) => {
    rules.push({ accept, function: name })
    return name
  }
  const names = [auto.name, deepening.name, ...strategies.map((entry) => entry.name)]
  command
    .optionsGroup('What to explore:')
    .option(
      '-s, --strategy <name>',
      `who decides the schedule: ${names.join(', ')}`,
      checkStrategy,
      auto.name,
    )
    .option(
      '--preempt <points>',
      `where threads may be switched: ${pointKinds.join(', ')}, race:SITE, words:SITE; several with commas`,
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
      'at most this many preemptions or delays, for strategies with a bound',
      wholeNumber(0),
    )
    .addOption(
      new Option('--order <which>', 'what depth-first searches try first at a point')
        .choices(['stay', 'preempt', 'random'])
        .default('stay'),
    )
    .option(
      '--spurious <n>',
      'waits on condition variables that may end without a signal, in one execution (0 unless given)',
      wholeNumber(0),
    )
    .option('--seed <n>', 'seed of everything random', wholeNumber(0), 1)
    .option('--priorities <module>', 'priority functions of your own for best-first, as exports of a module')
    .option('--list-points', 'list the preemption points of the default schedule, explore nothing')
    .optionsGroup('When to stop:')
    .addOption(
      new Option('--budget <time>', 'time for exploring: 500ms, 60s, 2m, 1h, none')
        .argParser(budget)
        .default(60, '60s'),
    )
    .option('--cpu <time>', 'processor time for exploring, all workers together: 10m', budget)
    .option('--executions <n>', 'stop after this many executions', wholeNumber(1))
    .option('--steps <n>', 'cut executions longer than this many steps', wholeNumber(1))
    .option(
      '--memory <size>',
      'what best-first keeps in memory, 256M unless given; the rest goes to disk',
      size,
    )
    .addOption(
      new Option('--memory-limit <size>', 'stop when the process, all workers included, has taken this much')
        .argParser(size)
        .default(defaultMemory(), '4G, less on a small machine'),
    )
    .option('--keep-going', 'go on after the first bug')
    .option(
      '--ignore <kind[@place]>',
      'step over known bugs: leak, lock-misuse@queue.c:41, assertion@push; never verified then',
      ignored,
    )
    .option('--suppressions <file>', 'the same from a file, one per line')
    .optionsGroup('Iterative Deepening (auto, deepen):')
    .option(
      '--workers <n>',
      'worker threads; as many as there are cores unless given',
      wholeNumber(1),
      availableParallelism(),
    )
    .option(
      '--worker-memory <MB>',
      'largest heap of a worker; one that needs more dies alone',
      wholeNumber(50),
      4096,
    )
    .option('--verify', 'the largest state space first: for a proof rather than for bugs')
    .option(
      '--eta-factor <x>',
      'stay with a job while its estimate is below this many times the time left',
      positive,
    )
    .option('--eta-threshold <n>', 'executions before an estimate counts', wholeNumber(0))
    .optionsGroup('Races:')
    .addOption(
      new Option(
        '--races [how]',
        `look for data races: ${raceKinds.join(', ')} (pure if nothing is said), off`,
      )
        .choices([...raceKinds, 'off'])
        .preset('pure'),
    )
    .option('--fail-on-race', 'exit with 1 if there is a race')
    .option(
      '--trust <name>',
      'a function or variable that is right: no points inside the function, no races told of either',
      collect,
    )
    .option(
      '--ignore-races <name>',
      'a function or variable whose races are not told; explored as ever',
      collect,
    )
    .optionsGroup('Results:')
    .option('--quiet', 'show no progress')
    .option('--verbose', 'tell all that is known of a run that was not done')
    .option('--json', 'print one JSON object instead of text')
    .option('--out <folder>', 'where failing schedules are written', '.faultline')
    .option(
      '--self-check <n>',
      'run this many first executions twice, to see that the program is deterministic; or all',
      selfCheck,
      3,
    )
    .option('--save <file>', 'write the search to a file when it ends, to go on later')
    .addOption(
      new Option('--save-every <time>', 'how often to write it meanwhile')
        .argParser(budget)
        .default(10, '10s'),
    )
    .option('--resume <file>', 'go on with a search written by --save')
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
  const name = text.split(':')[0]
  const names = [auto.name, deepening.name, ...strategies.map((entry) => entry.name)]
  if (!names.includes(name)) {
    const known = names.join(', ')
    throw new InvalidArgumentError(`Known are ${known}.`)
  }
  return text
}

function checkPoints(text: string): string {
  try {
    parsePoints(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
  return text
}

function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const n = Number(text)
    if (!/^\d+$/.test(text) || n < least || n > Number.MAX_SAFE_INTEGER) {
      throw new InvalidArgumentError(`Write a whole number from ${least}.`)
    }
    return n
  }
}

function positive(text: string): number {
  const n = Number(text)
  if (!(n > 0 && Number.isFinite(n))) throw new InvalidArgumentError('Write a number above 0.')
  return n
}

function budget(text: string): number {
  try {
    return parseBudget(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

const unitBytes: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }

/** `64M` → bytes. */
function size(text: string): number {
  const [, digits, unit] = /^(\d+)([KMG]?)B?$/i.exec(text) ?? []
  const bytes = Number(digits) * unitBytes[unit?.toUpperCase()]
  if (!(bytes >= 1 && bytes <= Number.MAX_SAFE_INTEGER)) {
    throw new InvalidArgumentError('Write a size such as 64M, 512K or 2G.')
  }
  return bytes
}

function selfCheck(text: string): number {
  return text === 'all' ? Infinity : wholeNumber(0)(text)
}

function ignored(text: string, before: Ignored[] = []): Ignored[] {
  try {
    return [...before, parseIgnored(text)]
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}
