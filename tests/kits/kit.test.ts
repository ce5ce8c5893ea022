import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kitNames, readKit } from '../../src/cli/kit/kit.js'
import { findTree, matcher } from '../../src/cli/kit/tree.js'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'

/** A course of our own: a lock that students write. */
const kit = {
  format: 'faultline-kit/1',
  name: 'locks',
  summary: 'a lock',
  roots: ['', 'src'],
  sources: ['*.c'],
  without: ['main.c'],
  needs: ['lock.h'],
  assembly: ['*.S'],
  files: ['atomic.c'],
  tests: [
    { file: 'tests/inside.c', shows: 'two threads inside' },
    { file: 'tests/alone.c', shows: 'a lock that cannot be taken' },
  ],
}

const good = `
#include "lock.h"
void lock(volatile int *word) { while (exchange(word, 1)) give_way(); }
void unlock(volatile int *word) { exchange(word, 0); }
`

const files = {
  'kit/kit.json': JSON.stringify(kit),
  'kit/atomic.c': `
    #include <faultline_threads.h>
    int exchange(volatile int *word, int value) { return faultline_xchg(word, value); }
    void give_way(void) { faultline_thread_yield(-1); }`,
  'kit/tests/inside.c': `
    #include "lock.h"
    #include <assert.h>
    #include <faultline_threads.h>
    static volatile int word;
    static int inside;
    static void *visit(void *unused) {
      lock(&word);
      inside++;
      assert(inside == 1);
      inside--;
      unlock(&word);
      faultline_vanish();
      return unused;
    }
    int main(void) { faultline_thread_fork(0, visit, 0); visit(0); }`,
  'kit/tests/alone.c': `
    #include "lock.h"
    int main(void) { static volatile int word; lock(&word); unlock(&word); }`,
}

const header =
  'int exchange(volatile int *word, int value);\nvoid give_way(void);\nvoid lock(volatile int *word);\nvoid unlock(volatile int *word);\n'

/** What takes the whole budget, and what takes the compiler with it. */
const costly = {
  endless: {
    'lock.c':
      'void lock(volatile int *w) { for (volatile int i = 0;; i++) *w = i; }\nvoid unlock(volatile int *w) {}',
    'lock.h': header,
  },
  crashing: { 'lock.c': `int deep(int x) { return ${'!'.repeat(300_000)}x; }`, 'lock.h': header },
}

function folderOf(trees: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const folder = folderWith({})
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, text] of Object.entries(files)) put(path, text)
  for (const [tree, content] of Object.entries(trees))
    for (const [path, text] of Object.entries(content)) put(`${tree}/${path}`, text)
  return folder
}

/** Lines of tests, without what they cost. */
const linesOf = (out: string) =>
  out
    .split('\n')
    .filter((line) => /^ {2}(?:inside|alone|missing)/.test(line))
    .map((line) =>
      line
        .trim()
        .replace(/ +/g, ' ')
        .replace(/ ?\(.*\)$/, ''),
    )

describe('faultline kit', () => {
  it('tests what was handed in, whatever became of the one before', async () => {
    const trees = {
      right: { 'src/lock.c': good, 'src/lock.h': header, 'src/main.c': 'this is not looked at' },
      wrong: {
        'lock.c': good.replace('while (exchange(word, 1)) give_way()', 'while (*word) give_way(); *word = 1'),
        'lock.h': header,
      },
      broken: { 'lock.c': `${good}\nint x = ;`, 'lock.h': header },
      headless: { 'lock.c': good },
      ...(isFull ? costly : {}),
      assembled: {
        'lock.c': `void stub(void);\n${good.replace('exchange(word, 0)', 'stub()')}`,
        'lock.h': header,
        'stub.S': '.globl stub\nstub: ret\n',
      },
      empty: { README: '' },
    }
    const folder = folderOf(trees)
    const names = [...Object.keys(trees), 'nowhere']
    const { out, code } = await faultline(folder, ['kit', 'kit', ...names, '--budget', '3s', '--out', 'out'])
    const parts = new Map<string, string>()
    for (const name of names) parts.set(name, out.slice(out.indexOf(`${name}: `)).split(/\n\n(?=\w+: )/)[0])
    expect(linesOf(parts.get('right')!)).toEqual(['inside verified', 'alone verified'])
    expect(linesOf(parts.get('wrong')!)[0]).toMatch(/^inside BUG assertion: .*inside == 1/)
    expect(out).toMatch(/shown by inside: two threads inside\n {2}report: out.wrong.inside\.txt\n/)
    expect(readFileSync(join(folder, 'out/wrong/inside.txt'), 'utf8')).toMatch(/^BUG assertion/)
    expect(linesOf(parts.get('broken')!)[0]).toMatch(
      /^inside not run .*lock\.c:\d+:\d+: error: expected expression/,
    )
    expect(linesOf(parts.get('headless')!)).toContain('missing: lock.h')
    if (isFull) {
      expect(linesOf(parts.get('endless')!)[1]).toMatch(
        /^alone (?:no bug found no execution came|BUG livelock)/,
      )
      expect(linesOf(parts.get('crashing')!)[0]).toMatch(
        /^inside not run the compiler, or Faultline, gave up/,
      )
    }
    expect(linesOf(parts.get('assembled')!)[0]).toMatch(/stub \(stub\.S/)
    expect(out).toMatch(/empty: no sources found: looked for \*\.c in/)
    expect(out).toMatch(/nowhere: there is no folder nowhere/)
    // The table at the end has a line for each.
    expect(
      out
        .trimEnd()
        .split('\n')
        .slice(-names.length)
        .map((line) => line.split(':')[0]),
    ).toEqual(names)
    expect(code).toBe(1)
  })

  it('goes on where it was, unless something has changed', async () => {
    const folder = folderOf({ tree: { 'lock.c': good, 'lock.h': header } })
    const argv = ['kit', 'kit', 'tree', '--budget', '5s', '--out', 'out']
    await faultline(folder, argv)
    const path = join(folder, 'out/results.json')
    const first = JSON.parse(readFileSync(path, 'utf8'))
    const change = (of: number, to: object) => {
      first.results[of] = { ...first.results[of], ...to }
      writeFileSync(path, JSON.stringify(first))
    }
    change(0, { text: 'kept' })
    change(1, { outcome: 'begun', text: '' })
    expect(linesOf((await faultline(folder, argv)).out)).toEqual(['inside verified kept', 'alone verified'])
    // Ended in the middle of it a second time: the others shall not wait for it.
    change(1, { outcome: 'begun', text: 'again' })
    const { out, code } = await faultline(folder, argv)
    expect(linesOf(out)).toEqual([
      'inside verified kept',
      'alone not run Faultline ended in the middle of this test, twice; delete its line in results.json to try it again',
    ])
    expect(code).toBe(2)
    writeFileSync(join(folder, 'tree/lock.c'), `${good}\n`)
    expect(linesOf((await faultline(folder, argv)).out)).toEqual(['inside verified', 'alone verified'])
  })

  it('runs single tests, and says what it knows', async () => {
    const folder = folderOf({ tree: { 'lock.c': good, 'lock.h': header } })
    const run = (...argv: string[]) => faultline(folder, ['kit', ...argv])
    const one = await run('kit', 'tree', '--test', 'alone')
    expect(linesOf(one.out)).toEqual(['alone verified'])
    expect(one.code).toBe(0)
    expect((await run('kit', 'tree', '--test', 'other')).err).toMatch(/--test other: known are inside, alone/)
    expect((await run('nothing', 'tree')).err).toMatch(/there is no kit nothing: known are .*pebbles/)
    expect((await run('kit', 'tree', './tree')).err).toMatch(/named twice/)
  })

  it.each([
    ['{', /is no JSON/],
    [{ ...kit, format: 'x' }, /"format" must be/],
    [{ ...kit, sources: 'x' }, /"sources" must be a list of texts/],
    [{ ...kit, source: [] }, /"source" means nothing: known are/],
    [{ ...kit, tests: [] }, /"tests" must be a list of tests/],
  ])('refuses a kit that is none: %#', (text, message) => {
    const folder = folderWith({ 'kit.json': text })
    expect(() => readKit(folder, folder)).toThrow(message)
  })
})

describe('what was handed in', () => {
  it('is found by patterns', () => {
    const isOne = matcher(['lib/**/*.c', '*.h', 'a+b.c'])
    const paths = ['lib/a.c', 'lib/x/y/a.c', 'lib/a.h', 'a.h', 'x/a.h', 'a+b.c', 'aab.c', 'lib/a.cc']
    expect(paths.filter(isOne)).toEqual(['lib/a.c', 'lib/x/y/a.c', 'a.h', 'a+b.c'])
  })

  it('must be a folder', () => {
    const folder = folderWith({ file: '' })
    expect(findTree(readKit('pebbles', folder), join(folder, 'file'), 'file')).toMatch(/file is a file: name/)
  })
})

describe('the kits that come along', () => {
  it.each(kitNames())('%s has what it names', (name) => {
    const { folder, tests, files: own } = readKit(name, '.')
    for (const file of [...own, ...tests.map((test) => test.file)])
      expect(readFileSync(join(folder, file), 'utf8')).toMatch(/^\/\*/)
  })
})
