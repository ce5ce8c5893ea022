import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Artifact, build } from '../../src/frontends/wasm/index.js'
import { concolicEngine } from '../../src/frontends/wasm/interpreter/concolic-engine.js'
import { Path } from '../../src/frontends/wasm/interpreter/path.js'
import { nativeEngine, type ProgramEngine } from '../../src/frontends/wasm/program-engine.js'
import { Random } from '../../src/random/random.js'
import { isFull } from '../support/effort.js'
import { exampleFiles, examplesFolder } from '../support/examples.js'
import { type Compared, limit, sideBySide } from './side-by-side.js'

/** An engine, and the memory of the program that it was given. */
function watched(engine: ProgramEngine) {
  let memory: WebAssembly.Memory | undefined
  const watching: ProgramEngine = {
    ...engine,
    async instantiate(...given) {
      const exports = await engine.instantiate(...given)
      memory = exports.memory as WebAssembly.Memory
      return exports
    },
  }
  return { engine: watching, bytes: () => Buffer.from(memory!.buffer) }
}

/** How many executions were compared: every event of them, and every byte of memory after them. */
async function compare(artifact: Artifact, compared: Compared): Promise<number> {
  const native = watched(nativeEngine)
  const interpreted = watched(concolicEngine(new Path()))
  let executions = 0
  await sideBySide(
    artifact,
    { recall: 'off', checkpoints: 'off', engine: interpreted.engine },
    {
      ...compared,
      plainEngine: native.engine,
      onExecution: () => {
        executions++
        expect(native.bytes().equals(interpreted.bytes())).toBe(true)
      },
    },
  )
  return executions
}

/** Transactions are not interpreted. */
const isInterpreted = (file: string) =>
  !/__transaction|_xbegin|FAULTLINE_ATOMICALLY|immintrin/.test(readFileSync(examplesFolder + file, 'utf8'))
const ofExamples = exampleFiles.filter(
  (file) => file.endsWith('.c') && !/weak/.test(file) && isInterpreted(file),
)
const examples = isFull ? ofExamples : ofExamples.slice(0, 3)

describe('interpreted programs stop where compiled ones do, and leave the same memory', () => {
  it.each(examples)('%s', async (file) => {
    const artifact = await build({ sources: [examplesFolder + file] })
    const strategies = isFull ? ['optimal', 'dfs', 'random', 'pos'] : ['random']
    for (const strategy of strategies) await compare(artifact, { strategy })
  })

  const programs: readonly (readonly [string, readonly number[]])[] = isFull
    ? [
        ['spins', [1, 5, 8, 9, 12, 14]],
        ['twins', [1, 4, 6, 7]],
        ['conditions', [1, 3]],
        ['heap', [1, 3, 5, 7]],
        ['robust', [1, 2]],
        ['keys', [0]],
        ['io', [0]],
        ['time', [0]],
        ['annotations', [1, 2, 3, 4, 5, 6]],
      ]
    : [
        ['spins', [1, 9]],
        ['heap', [3]],
        ['io', [0]],
      ]

  it.each(programs)('%s', async (name, cases) => {
    const artifact = await build({ sources: [`tests/c/${name}.c`], optimize: '0' })
    for (const number of cases) {
      await compare(artifact, { args: Array<string>(number).fill(''), strategy: 'random' })
      if (isFull) await compare(artifact, { args: Array<string>(number).fill('') })
    }
  })

  it('programs made at random, with random schedules', async () => {
    const artifact = await build({ sources: ['tests/c/scripts.c'] })
    const random = new Random(11)
    let executions = 0
    for (let i = 0; i < limit / 4; i++) {
      const args = Array.from({ length: 2 + random.below(2) }, (_, id) => {
        let script = 0
        for (let k = 0; k < 3; k++) script = (script << 5) | (random.below(2) << 4) | (1 + random.below(12))
        return String((script << 2) | id)
      })
      executions += await compare(artifact, { args, strategy: 'random' })
    }
    expect(executions).toBeGreaterThan(limit)
  })
})
