import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { endless, lockedCounter, racyCounter } from './programs.js'
import { folderWith } from './run.js'

const bin = fileURLToPath(new URL('../../bin/faultline.js', import.meta.url))
const isBuilt = existsSync(new URL('../../dist/cli/main.js', import.meta.url))

function start(folder: string, argv: string[]) {
  const child = spawn(process.execPath, [bin, ...argv], { cwd: folder })
  let out = ''
  let err = ''
  child.stdout.on('data', (text) => (out += text))
  child.stderr.on('data', (text) => (err += text))
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }))
  })
  return { child, ended }
}

/** `npm test` builds first; without that there is no command to run. */
describe('the command as a process', () => {
  beforeEach(({ skip }) => skip(!isBuilt, 'not built: npm run build'))

  it.each([
    [['check', 'racy.json'], 1],
    [['check', 'locked.json'], 0],
    [['check', 'missing.json'], 2],
    [['check'], 2],
    [['--version'], 0],
    [['check', '--help'], 0],
  ])('%j exits with %d', async (argv, code) => {
    const folder = folderWith({ 'racy.json': racyCounter(), 'locked.json': lockedCounter() })
    const ran = await start(folder, argv).ended
    expect(ran.code).toBe(code)
    expect(code === 2 ? ran.err : ran.out).not.toBe('')
  })

  it('begins with the compiled code that was kept, or without any', () => {
    const folder = folderWith({ damaged: 'no code' })
    const command = JSON.stringify(new URL('../../bin/command.js', import.meta.url).href)
    const script =
      `import(${command}).then(({ loadCommand }) => {` +
      `const all = [[], ['damaged'], ['missing']].map((kept) => loadCommand(...kept));` +
      `console.log(JSON.stringify(all.map(({ main, usesKeptCode }) => [typeof main, usesKeptCode]))) })`
    const { stdout } = spawnSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' })
    expect(JSON.parse(stdout)).toEqual([
      ['function', true],
      ['function', false],
      ['function', false],
    ])
  })

  it('ends at SIGINT with the partial guarantee', async () => {
    const folder = folderWith({ 'endless.json': endless })
    const saving = ['--save', 'run.json', '--save-every', '100ms']
    const { child, ended } = start(folder, ['check', 'endless.json', '--json', '--budget', '100s', ...saving])
    // A file shows that the search has begun.
    const isBegun = () => existsSync(join(folder, 'run.json'))
    while (child.exitCode === null && !isBegun()) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGINT')
    const { code, out } = await ended
    expect(code).toBe(0)
    expect(JSON.parse(out).guarantee).toContain('interrupted')
  })
})
