import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../files/atomic-write.js'
import { version } from '../../files/version.js'
import type { Kit } from './kit.js'
import type { Tree } from './tree.js'

/** How a test of a tree came out. */
export interface TestResult {
  readonly test: string
  /** `failed`: it could not be run. `begun`: Faultline ended in the middle of it. */
  readonly outcome: 'verified' | 'bug' | 'partial' | 'failed' | 'begun'
  /** One line: the bug, what is known, or why it failed. */
  readonly text: string
  readonly executions: number
  readonly seconds: number
  readonly bug?: {
    readonly kind: string
    readonly location: string
    readonly report: string
    readonly replay: string
  }
}

const FILE = 'results.json'

/** The results of one tree, kept in its folder as they come, so that a run that was ended goes on where it was. */
export class Results {
  private readonly results: TestResult[] = []

  constructor(
    readonly folder: string,
    private readonly key: string,
  ) {
    try {
      const saved = JSON.parse(readFileSync(join(folder, FILE), 'utf8')) as Saved
      if (saved.key === key) this.results.push(...saved.results)
    } catch {
      // Nothing was kept, or nothing that can be used.
    }
  }

  of(test: string): TestResult | undefined {
    return this.results.find((result) => result.test === test)
  }

  put(result: TestResult): void {
    const at = this.results.findIndex(({ test }) => test === result.test)
    if (at < 0) this.results.push(result)
    else this.results[at] = result
    const saved: Saved = { key: this.key, results: this.results }
    writeAtomically(join(this.folder, FILE), `${JSON.stringify(saved, null, 2)}\n`)
  }
}

interface Saved {
  readonly key: string
  readonly results: readonly TestResult[]
}

/** Equal keys: the same tests of the same files, with the same options. */
export function keyOf(kit: Kit, tree: Tree, options: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([version, kit, tree.hash, options]))
  for (const file of [...kit.before, ...kit.files, ...kit.tests.map((test) => test.file)])
    hash.update(readFileSync(join(kit.folder, file)))
  return hash.digest('hex')
}
