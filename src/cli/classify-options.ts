import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RaceClass } from '../classify/classes.js'
import { defaults } from '../classify/classify.js'
import { outputOrders } from '../classify/compare-outputs.js'
import { list } from '../words/words.js'
import { wholeNumber } from './option-values.js'

/** Classes by the short names that people write. */
const classNames: Readonly<Record<string, RaceClass>> = {
  spec: 'spec-violated',
  output: 'output-differs',
  unknown: 'unknown',
  harmless: 'harmless',
  single: 'single-ordering',
}

/** How races are classified: options of `races`, and of `check --classify`. */
export function addClassifyOptions(command: Command): void {
  command
    .option(
      '--primaries <n>',
      'executions that show a race from which the other order is tried',
      wholeNumber(1),
      defaults.primaries,
    )
    .option(
      '--alternates <n>',
      'random continuations of each, besides the one that goes on as it did',
      wholeNumber(0),
      defaults.alternates,
    )
    .addOption(
      new Option('--output <order>', 'how outputs are compared where threads print')
        .choices(outputOrders)
        .default(defaults.output),
    )
    .addOption(
      new Option(
        '--fail-on <classes>',
        'exit with 1 if there is a race of these classes, separated by commas',
      )
        .argParser(classes)
        .default(['spec-violated'], 'spec'),
    )
}

function classes(text: string): RaceClass[] {
  return text.split(',').map((word) => {
    const name = classNames[word.trim()]
    if (name === undefined) {
      throw new InvalidArgumentError(
        `Known are ${list(Object.keys(classNames), 'and')}; separate several by commas.`,
      )
    }
    return name
  })
}
