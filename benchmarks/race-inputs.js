/**
 * Races that do another thing for another input, in tests/c/race-inputs.c, each with the number of its case; the class it has with
 * the input that the program has by itself, and over all inputs. Written down before the classifier had seen them.
 *
 * @type {[name: string, number: number, alone: string, all: string][]}
 */
export const raceInputs = [
  ['a table that overflows for one option (figure 6)', 1, 'harmless', 'spec-violated'],
  ['an output that no order changes, whatever the input (figure 8)', 2, 'harmless', 'harmless'],
  ['values that are equal by chance', 3, 'harmless', 'output-differs'],
  ['values that are always equal', 4, 'harmless', 'harmless'],
  ['an option that makes it matter', 5, 'harmless', 'output-differs'],
  ['a flag that keeps the order', 6, 'single-ordering', 'single-ordering'],
  ['an option and a third thread', 7, 'harmless', 'spec-violated'],
  ['a count that is printed on demand', 8, 'harmless', 'output-differs'],
  ['a flag that only careful readers wait for', 9, 'single-ordering', 'output-differs'],
  ['a divisor', 10, 'harmless', 'spec-violated'],
  ['the same from both, whatever is printed besides', 11, 'harmless', 'harmless'],
  ['a word', 12, 'harmless', 'spec-violated'],
]
