import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { asComment, failureIn } from '../../src/files/failure-in-test.js'
import type { Program } from '../../src/frontends/model/program.js'
import { endless, lockedCounter, racyCounter } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'

const bin = fileURLToPath(new URL('../../bin/faultline.js', import.meta.url))
const compilers = ['/usr/bin/cc', '/usr/bin/gcc', '/usr/bin/clang'].filter((path) => existsSync(path))

const write = (folder: string, program: object) =>
  writeFileSync(join(folder, 'p.json'), JSON.stringify(program))

/** A folder with a program that fails and a test exported for it. */
async function exported(name = 'tests/lost-update.c'): Promise<string> {
  const folder = folderWith({ 'p.json': racyCounter() })
  const ran = await faultline(folder, ['check', 'p.json', '--replay-as-test', name])
  expect([ran.code, ran.err]).toEqual([1, `faultline: ${name} replays the bug, and passes once it is gone\n`])
  return folder
}

describe('an exported test, replayed', () => {
  const replay = (folder: string) => faultline(folder, ['replay', '--rebuild', 'tests/lost-update.c'])

  it('fails as long as the bug shows, and passes once it is gone', async () => {
    const folder = await exported()
    expect(await replay(folder)).toMatchObject({ code: 1, err: '' })
    write(folder, racyCounter(3))
    const moved = await replay(folder)
    expect(moved.code).toBe(1)
    expect(moved.out).toContain('The bug is still there')
    write(folder, lockedCounter())
    const gone = await replay(folder)
    expect(gone.code).toBe(0)
    expect(gone.out).toContain('The bug is gone')
    // What was recorded anew does not lie among the tests.
    expect(readdirSync(join(folder, 'tests'))).toEqual(['lost-update.c'])
  })

  it('is the same when exported from a recorded failure, wherever that is done', async () => {
    const folder = await exported()
    const [schedule] = readdirSync(join(folder, '.faultline'))
    mkdirSync(join(folder, 'deeper'))
    const argv = ['replay', `../.faultline/${schedule}`, '--replay-as-test', '../tests/again.c']
    expect((await faultline(join(folder, 'deeper'), argv)).code).toBe(1)
    const text = (name: string) => readFileSync(join(folder, 'tests', name), 'utf8')
    expect(text('again.c')).toBe(text('lost-update.c').replaceAll('lost-update', 'again'))
  })

  it('does not pass where nothing can be told', async () => {
    const folder = await exported()
    // Other threads, and far too many schedules to try them all.
    const other: Program = {
      ...endless,
      threads: Object.fromEntries(
        ['a', 'b', 'c', 'd', 'e'].map((name) => [
          name,
          [{ op: 'loop', count: 20, body: [{ op: 'fetchAdd', var: 'x', value: 1 }] }],
        ]),
      ),
    }
    write(folder, other)
    const ran = await replay(folder)
    expect([ran.code, ran.out]).toEqual([2, ''])
    expect(ran.err).toContain(
      'cannot be told: the program has changed so much that nothing of the recorded schedule',
    )
  })

  it('can be written over by another, and nothing else can', async () => {
    const folder = await exported()
    const argv = (name: string) => ['check', 'p.json', '--replay-as-test', name]
    expect((await faultline(folder, argv('tests/lost-update.c'))).code).toBe(1)
    writeFileSync(join(folder, 'mine.c'), 'int main(void) {}\n')
    for (const [name, message] of [
      ['mine.c', 'this file is there already, and is not an exported test'],
      ['test.txt', 'name a file that ends in .c, .cc'],
      ['p.json/test.c', 'the folder cannot be made'],
    ]) {
      const ran = await faultline(folder, argv(name))
      expect([ran.code, ran.out]).toEqual([2, ''])
      expect(ran.err).toContain(message)
    }
    expect(readFileSync(join(folder, 'mine.c'), 'utf8')).toBe('int main(void) {}\n')
  })

  it('is not written without a bug, or half on a full disk', async () => {
    const folder = folderWith({ 'p.json': lockedCounter() })
    const argv = ['check', 'p.json', '--replay-as-test', 'test.c']
    const passed = await faultline(folder, argv)
    expect([passed.code, passed.err]).toEqual([
      0,
      'faultline: --replay-as-test test.c: nothing was written, since no bug was found\n',
    ])
    write(folder, racyCounter())
    symlinkSync('/dev/full', join(folder, `test.c.${process.pid}.tmp`))
    const full = await faultline(folder, argv)
    expect(full.code).toBe(1)
    expect(full.err).toMatch(/^faultline: --replay-as-test test.c could not be written: ENOSPC/)
    expect(existsSync(join(folder, 'test.c'))).toBe(false)
  })

  it('holds its schedule in a comment, whatever that contains', () => {
    for (const value of ['*/ int x; /*', '\\*/', '/*/', 'a\n*/\n']) {
      const json = JSON.stringify({ value }, null, 2)
      const text = `int main(void) {}\n\n${asComment(json)}\n`
      expect(text.match(/\*\//g)).toHaveLength(1)
      expect(text.match(/\/\*/g)).toHaveLength(1)
      expect(JSON.parse(failureIn(text))).toEqual({ value })
    }
  })
})

describe('an exported test, compiled', () => {
  beforeEach(({ skip }) => skip(compilers.length === 0, 'no C compiler in /usr/bin'))

  it('is C and C++ without a warning, and ends with the code of the replay', async () => {
    const folder = await exported()
    const flags = ['-Wall', '-Wextra', '-Werror', '-pedantic']
    const source = join(folder, 'tests/lost-update.c')
    execFileSync(compilers[0], [
      ...flags,
      '-std=c99',
      '-D_POSIX_C_SOURCE=200809L',
      source,
      '-o',
      join(folder, 'test'),
    ])
    execFileSync(compilers[0], [...flags, '-x', 'c++', '-fsyntax-only', source])
    const run = (environment: object) =>
      spawnSync(join(folder, 'test'), { encoding: 'utf8', env: { ...process.env, ...environment } })
    const command = { FAULTLINE: `'${process.execPath}' '${bin}'`.replaceAll("'", '') }
    const failed = run(command)
    expect([failed.status, failed.stdout.startsWith('BUG invariant')]).toEqual([1, true])
    write(folder, lockedCounter())
    const passed = run(command)
    expect([passed.status, passed.stdout.startsWith('The bug is gone')]).toEqual([0, true])
    writeFileSync(join(folder, 'p.json'), '{')
    expect(run(command).status).toBe(2)
    expect(run({ FAULTLINE: '/none/faultline' }).status).toBe(77)
  })
})
