import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'
import { assemble, counterText, withFeature } from './modules.js'

async function folderOf(name: string, text: string): Promise<string> {
  const folder = folderWith({})
  writeFileSync(join(folder, name), await assemble(text))
  return folder
}

describe('faultline check on a module', () => {
  test('finds a bug that replays', async () => {
    const folder = await folderOf('racy.wasm', counterText({ lock: false }))
    const { out, code } = await faultline(folder, ['check', 'racy.wasm', '--json'])
    const report = JSON.parse(out)
    expect(code).toBe(1)
    expect(report.bugs).toMatchObject([{ kind: 'trap', preemptions: 1 }])
    const replayed = await faultline(folder, ['replay', report.bugs[0].schedule])
    expect(replayed.code).toBe(1)
    expect(replayed.out).toMatch(/code that must not be reached/)
  })

  test('verifies what is right, and says for what', async () => {
    const folder = await folderOf('locked.wasm', counterText())
    const { out, code } = await faultline(folder, ['check', 'locked.wasm', '--strategy', 'optimal', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ verdict: 'verified' })
    expect(JSON.parse(out).guarantee).toMatch(/the module as it was compiled/)
  })

  test('refuses what it cannot check, with exit code 2', async () => {
    const folder = await folderOf('odd.wasm', withFeature('(import "env" "launch" (func))'))
    writeFileSync(join(folder, 'cut.wasm'), (await assemble(counterText())).slice(0, 90))
    for (const [argv, message] of [
      [['check', 'odd.wasm'], /odd\.wasm: the module imports env\.launch, which Faultline does not provide/],
      [['check', 'cut.wasm'], /cut\.wasm: this is not a valid WebAssembly module/],
      [['check', 'gone.wasm'], /gone\.wasm: no such file/],
      [['check', 'odd.wasm', '-O', '1'], /-O: only for C and C\+\+, but odd\.wasm is a wasm program/],
      [['check', 'odd.wasm', 'cut.wasm'], /a wasm program is one file/],
    ] as const) {
      const ran = await faultline(folder, [...argv])
      expect(ran.err).toMatch(message)
      expect(ran.err).not.toMatch(/\n\s+at /)
      expect(ran.code).toBe(2)
    }
  })
})
