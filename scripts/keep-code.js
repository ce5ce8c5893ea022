// Keeps the compiled code of the command after a check of a small C program: what that needed is what most checks need.
// Without it the command works as well, and begins more slowly; so whatever goes wrong here is no fault of the build.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadCommand } from '../bin/command.js'

const self = fileURLToPath(import.meta.url)
const program = fileURLToPath(new URL('../examples/01-counter/fixed.c', import.meta.url))

if (process.argv[2] === 'check') {
  const { main, keepCode } = loadCommand()
  await main(process.argv.slice(2))
  keepCode()
} else {
  const out = mkdtempSync(join(tmpdir(), 'faultline-'))
  const check = [self, 'check', program, '--strategy', 'optimal', '--out', out]
  // Twice: where the program is compiled first, the engine drops half of our code meanwhile.
  for (let round = 0; round < 2; round++) spawnSync(process.execPath, check, { stdio: 'ignore' })
  rmSync(out, { recursive: true, force: true })
}
