import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of examples; names of examples are relative to it. */
export const examplesFolder = fileURLToPath(new URL('../../examples/', import.meta.url))

/** Without whole projects and what kits are for, which have tests of their own. */
export const exampleFiles = readdirSync(examplesFolder, { recursive: true, encoding: 'utf8' })
  .filter((name) => !/^(?:projects|threadlib|kernel|pintos)\//.test(name))
  .sort()

export function readExample(name: string): string {
  return readFileSync(examplesFolder + name, 'utf8')
}

/** Options that an example needs, by its first lines: `// options: --leaks`. */
export function optionsOf(name: string): string[] {
  const header = /^\/\/ options: (.+)$/m.exec(readExample(name).split('\n').slice(0, 5).join('\n'))
  return header?.[1].split(' ') ?? []
}

/** Beside the numbered ones, for every day: cancellation, an address that comes back, a stack without locks. */
const alsoDaily = /^(?:c\/(?:address-comes-back|cancelled-worker|lock-free-stack))\//

/** Whether an example is one of the first ones, which lead through the tool. */
export function isNumbered(name: string): boolean {
  return /^0/.test(name)
}

/** Whether an example is run every day; all are in `npm run test:full`. */
export function isDaily(name: string): boolean {
  return isNumbered(name) || alsoDaily.test(name)
}
