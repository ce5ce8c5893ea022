import { type Command, Option } from 'commander'
import type { RaceClass } from '../classify/classes.js'
import { defaults } from '../classify/classify.js'
import type { OutputOrder } from '../classify/compare-outputs.js'
import { heapModes } from '../machine/platform.js'
import { addClassifyOptions } from './classify-options.js'
import { budget, wholeNumber } from './option-values.js'
import { addProgramOptions, collect } from './program-options.js'
import { addTransactionOptions } from './transaction-options.js'

/** What the user wrote after `faultline races FILE…`. */
export interface RacesFlags {
  executions: number
  primaries: number
  alternates: number
  output: OutputOrder
  racesFrom?: string
  failOn: readonly RaceClass[]
  ignoreRaces?: string[]
  whatIf?: string
  budget: number
  steps?: number
  seed: number
  json?: true
  quiet?: true
  out: string
}

export function addRacesOptions(command: Command): void {
  command
    .optionsGroup('What to look for:')
    .option(
      '--executions <n>',
      'executions in which races are looked for',
      wholeNumber(1),
      defaults.executions,
    )
    .option(
      '--races-from <file>',
      "only races that somebody else found: ThreadSanitizer's report, or what check --races --json printed",
    )
    .option('--ignore-races <name>', 'a function or variable whose races are left out', collect)
    .option(
      '--what-if <place>',
      'leave out the synchronisation at this line, for example queue.c:12, and look at the races that this opens',
    )
  command.optionsGroup('What races do:')
  addClassifyOptions(command)
  command
    .optionsGroup('What may happen:')
    .option(
      '--spurious <n>',
      'how many waits on condition variables may end without a signal in one execution (0 unless given)',
      wholeNumber(0),
    )
    .option('--prefer-writers', 'readers wait for writers that wait for a reader-writer lock')
  addTransactionOptions(command)
  command
    .optionsGroup('When to stop:')
    .addOption(
      new Option('--budget <time>', 'time for all of it: 500ms, 60s, 2m, 1h or none')
        .argParser(budget)
        .default(60, '60s'),
    )
    .option('--steps <n>', 'cut executions longer than this many steps', wholeNumber(1))
    .option('--seed <n>', 'seed of all random choices', wholeNumber(0), defaults.seed)
    .optionsGroup('Results:')
    .option('--json', 'print one JSON object instead of text')
    .option('--quiet', 'show no progress')
    .option('--out <folder>', 'where evidence is written', '.faultline')
  addProgramOptions(command)
  command.addOption(
    new Option('--heap <mode>', 'what becomes of freed memory: fresh (the default) or reuse')
      .choices(heapModes)
      .helpGroup('For C and C++:'),
  )
}
