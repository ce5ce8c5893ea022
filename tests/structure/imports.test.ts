import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { cycles, readSources, upwardImports } from './import-graph.js'

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
/** The one place that says which folder may import which. */
const layers = JSON.parse(readFileSync(path('src/layers.json'), 'utf8')) as string[][]

/** As the pages quote it: `cli` → `check` → … */
const quoted = layers.map((layer) => layer.map((part) => `\`${part}\``).join(', ')).join(' → ')

describe('imports', () => {
  const sources = readSources(path('src'))

  it('point down the layers', () => {
    expect(sources.size).toBeGreaterThan(300)
    expect(upwardImports(sources, layers)).toEqual([])
  })

  it('make no cycles, types included', () => {
    expect(cycles(sources)).toEqual([])
  })

  it.each(['docs/architecture.md', 'CONTRIBUTING.md'])('are quoted by %s', (page) => {
    expect(readFileSync(path(page), 'utf8').replace(/\s+/g, ' ')).toContain(quoted)
  })
})

describe('what is wrong is noticed', () => {
  const below = [['cli'], ['runs', 'reports'], ['machine']]

  it.each([
    [
      'an import of what lies above',
      { 'machine/a.ts': "import '../runs/b.js'" },
      'machine/a.ts imports runs/b.ts',
    ],
    [
      'of types only',
      { 'machine/a.ts': "import type { B } from '../runs/b.js'" },
      'machine/a.ts imports runs/b.ts',
    ],
    ['on demand', { 'machine/a.ts': "await import('../runs/b.js')" }, 'machine/a.ts imports runs/b.ts'],
    [
      'of what is passed on',
      { 'machine/a.ts': "export { b } from '../runs/b.js'" },
      'machine/a.ts imports runs/b.ts',
    ],
    ['within a layer', { 'reports/a.ts': "import '../runs/b.js'" }, 'reports/a.ts imports runs/b.ts'],
    ['a folder in no layer', { 'new/a.ts': '' }, 'new/a.ts: new is in no layer'],
  ])('%s', (_, files, fault) => {
    const sources = new Map(
      Object.entries({ ...files, 'runs/b.ts': "import '../machine/c.js'", 'machine/c.ts': '' }),
    )
    expect(upwardImports(sources, below)).toEqual([fault])
  })

  it('cycles of any length', () => {
    const sources = new Map([
      ['a.ts', "import './b.js'"],
      ['b.ts', "import type { C } from './c.js'"],
      ['c.ts', "export * from './a.js'\nimport './d.js'"],
      ['d.ts', ''],
    ])
    expect(cycles(sources)).toEqual([['a.ts', 'b.ts', 'c.ts']])
  })
})
