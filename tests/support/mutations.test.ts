import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mutations as bestFirst } from '../best-first/mutations.js'
import { mutations as kernels } from '../kernels/mutations.js'
import { mutations as memory } from '../memory/mutations.js'
import { mutations as races } from '../races/mutations.js'
import { mutations as reductions } from '../reductions/mutations.js'
import { isRuntime } from './breakable-package.js'
import { changesOf, mutated, sourceFile } from './mutated-engine.js'

const all = [...reductions, ...bestFirst, ...memory, ...races, ...kernels]

describe('mutations', () => {
  test('find their places, and change something there', () => {
    for (const change of all.flatMap(changesOf).filter((change) => !isRuntime(change)))
      expect(mutated(change)).not.toBe(sourceFile(change.file).tree.text)
  })

  test('leave no marker without one', () => {
    const sources = new URL('../../src/', import.meta.url)
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    const unused = files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => readFileSync(new URL(file, sources), 'utf8').includes(' mutant: '))
      .flatMap((file) => [...sourceFile(file).markers.keys()].map((at) => ({ file, at })))
      .filter(({ file, at }) => !all.some((mutation) => mutation.file === file && mutation.at === at))
    expect(unused).toEqual([])
  })
})
