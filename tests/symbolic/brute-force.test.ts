import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import type { InputValues } from '../../src/frontends/wasm/machine/symbolic-inputs.js'
import { Random } from '../../src/random/random.js'
import type { Report } from '../../src/reports/report.js'
import { createStrategy } from '../../src/strategies/index.js'
import { faultline } from '../cli/run.js'
import { times } from '../support/effort.js'

const out = mkdtempSync(join(tmpdir(), 'faultline-inputs-'))
afterAll(() => rmSync(out, { recursive: true, force: true }))

const file = 'tests/c/input-scripts.c'
let artifact: Artifact
beforeAll(async () => {
  artifact = await build({ sources: [file] })
})

/** The inputs that a bug shows for, each checked by itself with the program compiled. */
async function failingInputs(args: readonly string[]): Promise<number[]> {
  const failing: number[] = []
  let x = 0
  const inputs: InputValues = {
    areInputs: true,
    valueOf: (name) => (name === 'x' ? Uint8Array.of(x) : undefined),
  }
  const machine = await wasmMachine(artifact, { args, inputs, checkpoints: 'off', recall: 'off' })
  for (x = 0; x < 8; x++) {
    const { firstBug } = explore({ machine, strategy: createStrategy('optimal', { machine }) })
    if (firstBug) failing.push(x)
  }
  return failing
}

function randomScripts(random: Random): string[] {
  const letters = 'aabccdefgghhijklm'
  const script = (most: number) =>
    Array.from(
      { length: random.below(most + 1) },
      () => letters[random.below(letters.length)] + random.below(8),
    ).join('')
  return [script(3), script(3), script(1), script(2)]
}

it('inputs and schedules: what is found is there, and what is verified has no bug for any input', async () => {
  const random = new Random(20)
  const wrong: string[] = []
  const seen: Record<string, number> = {}
  for (let i = times(12); i > 0; i--) {
    const args = randomScripts(random)
    const failing = await failingInputs(args)
    const options = ['--symbolic', '--strategy', 'optimal', '--json', '--quiet', '--out', out]
    const ran = await faultline(process.cwd(), ['check', file, ...options, '--', ...args])
    const { verdict, bugs } = JSON.parse(ran.out) as Report
    const key = `${failing.length === 0 ? 'no bug' : failing.length < 8 ? 'some inputs' : 'all'}: ${verdict}`
    seen[key] = (seen[key] ?? 0) + 1
    if (verdict === 'verified' && failing.length > 0) wrong.push(`${args}: verified, but ${failing} fail`)
    if (verdict === 'bug' && !failing.includes(Number(bugs[0].input!.x) & 7))
      wrong.push(`${args}: a bug for ${bugs[0].input!.x}, but only ${failing} fail`)
  }
  expect(wrong).toEqual([])
  expect(seen['some inputs: bug']).toBeGreaterThan(0)
  expect(seen['no bug: verified']).toBeGreaterThan(0)
})
