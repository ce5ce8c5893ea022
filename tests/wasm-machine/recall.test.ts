import { describe, expect, it } from 'vitest'
import { type Artifact, build } from '../../src/frontends/wasm/index.js'
import { Random } from '../../src/random/random.js'
import { isFull } from '../support/effort.js'
import { entries, limit, sideBySide } from './side-by-side.js'

const recalling = { recall: 'everywhere', checkpoints: 'everywhere' } as const

async function compare(artifact: Artifact, args: string[]): Promise<void> {
  await sideBySide(artifact, recalling, { args })
  await sideBySide(artifact, recalling, { args, strategy: 'source', points: 'lock,unlock,sync', asks: 3 })
}

describe('an execution done from memory is the same as one of the program', () => {
  it.each([
    // The last one takes all the memory there is.
    ['heap', isFull ? [1, 3, 5, 7] : [1]],
    ['robust', [1, 2]],
    ['annotations', isFull ? [1, 2, 3, 4, 5, 6] : [2, 3, 5]],
    ['spins', isFull ? [1, 5, 8, 12] : [1, 8]],
    ['twins', isFull ? [1, 4, 6, 7] : [1, 6]],
    ['conditions', [1]],
  ])('%s', async (name, cases) => {
    const artifact = await build({ sources: [`tests/c/${name}.c`], optimize: '0' })
    for (const number of cases) await compare(artifact, Array<string>(number).fill(''))
  })

  it.each(isFull ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14] : [2, 4, 9])(
    'recall.c, case %i',
    async (number) => {
      const define = [`CASE=${number}`]
      await compare(await build({ sources: ['tests/c/recall.c'], define, optimize: '0' }), [])
    },
  )

  it.each(['chains 2', 'locks 4', 'philosophers 4', 'relay 5', 'stores 3', 'mixed 4', 'tree 4'])(
    'the shape %s',
    async (shape) => {
      const artifact = await build({ sources: ['benchmarks/programs/peers.c'] })
      const args = shape.split(' ')
      const leftOut = await sideBySide(artifact, recalling, { args, asks: 7 })
      expect(leftOut).toBeGreaterThan(limit * 5)
      await sideBySide(artifact, recalling, { args, strategy: 'dpor', points: 'sync,atomic' })
    },
  )

  it.each(['chains 2', 'locks 4', 'stores 3', 'mixed 4', 'tree 4'])(
    'the shape %s, when remembering is given up',
    async (shape) => {
      const artifact = await build({ sources: ['benchmarks/programs/peers.c'] })
      await sideBySide(artifact, { recall: 'at first' }, { args: shape.split(' '), asks: 7 })
    },
  )

  it('where a store replaces a part of what its thread then looks at', async () => {
    const artifact = await build({ sources: ['tests/c/parts.c'] })
    for (const strategy of ['pos', 'mix'])
      await sideBySide(artifact, recalling, { strategy, points: 'lock', asks: 100 })
  })

  it('where it depends on what others wrote whether a loop changes anything', async () => {
    const artifact = await build({ sources: ['tests/c/copied-flag.c'] })
    for (const strategy of ['dfs', 'random'])
      await sideBySide(artifact, recalling, { strategy, maxExecutions: 100, asks: 1e9 })
  })

  it('where threads print, which is no reason to run the program', async () => {
    const artifact = await build({ sources: ['tests/c/printing.c'] })
    for (const strategy of ['dfs', 'random']) await sideBySide(artifact, recalling, { strategy, asks: 3 })
    const [run, all] = await entries('tests/c/printing.c', [], { strategy: 'dfs', maxExecutions: 100 })
    expect(run).toBeLessThan(all / 2)
  })

  it('where it is given up at once, since waits on condition variables are not kept', async () => {
    const artifact = await build({ sources: ['tests/c/blocking-queue.c'] })
    await sideBySide(artifact, { recall: 'worthwhile' }, { strategy: 'dfs', maxExecutions: 40, asks: 7 })
  })

  it('with samplers, which need no events', async () => {
    const artifact = await build({ sources: ['corpus/two-stage/program.c'], define: ['BUG', 'WRITERS=12'] })
    for (const strategy of ['pos', 'mix', 'random'])
      await sideBySide(artifact, recalling, { strategy, asks: 5, maxSteps: 1000 })
  })

  it('where events are read now and then', async () => {
    const artifact = await build({ sources: ['corpus/two-stage/program.c'], define: ['BUG', 'WRITERS=3'] })
    for (const strategy of ['dfs', 'delay', 'random'])
      await sideBySide(artifact, recalling, { strategy, reads: 2, asks: 1000 })
  })

  it('with searches that take turns, each with points of its own', async () => {
    const artifact = await build({ sources: ['corpus/two-stage/program.c'], define: ['BUG', 'WRITERS=3'] })
    const turns = ['everywhere', 'lock', 'everywhere', 'lock', 'unlock', 'sync', 'everywhere', 'lock']
    await sideBySide(artifact, recalling, { strategy: 'random', turns, asks: 5 })
  })

  it('in programs made at random', async () => {
    const scripts = await build({ sources: ['tests/c/scripts.c'] })
    const blocks = await build({ sources: ['tests/c/heap-scripts.c'] })
    const random = new Random(5)
    let leftOut = 0
    for (let i = 0; i < limit / 3; i++) {
      const args = Array.from({ length: 2 + random.below(2) }, (_, id) => {
        let script = 0
        for (let k = 0; k < 3; k++) script = (script << 5) | (random.below(2) << 4) | (1 + random.below(12))
        return String((script << 2) | id)
      })
      const asks = 1 + random.below(4)
      leftOut += await sideBySide(scripts, recalling, { args, asks })
      const letters = () => Array.from({ length: 4 }, () => 'abcABCxyzu'[random.below(10)]).join('')
      leftOut += await sideBySide(blocks, recalling, { args: [letters(), letters()], asks })
    }
    expect(leftOut).toBeGreaterThan(limit * 6)
  })
})
