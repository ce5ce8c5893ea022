import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockedCounter, racyCounter } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'
import { schemaErrors } from './schema.js'

const counter = `#include <assert.h>
#include <pthread.h>
#include "shared.h"

static void *increment(void *arg) {
  counter++;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, increment, NULL);
  pthread_create(&b, NULL, increment, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
}
`
const header = 'static int counter;\nstatic inline int twice(void) { return counter * 2; }\n'

/** A folder with a recorded failure of the program. */
async function recorded(files: Record<string, unknown>, main = 'counter.c') {
  const folder = folderWith(files)
  const { out } = await faultline(folder, ['check', main, '--json'])
  return { folder, bug: JSON.parse(out).bugs[0] }
}

async function rebuilt(folder: string, schedule: string) {
  const ran = await faultline(folder, ['replay', '--rebuild', schedule, '--json'])
  const data = JSON.parse(ran.out)
  expect(schemaErrors(data, 'replay')).toBe('')
  return { code: ran.code, data }
}

const edits = [
  [
    'keeps the bug',
    (s: string) => `${s}\n// a comment at the end\n`,
    'same',
    /still there: assertion at counter\.c:16/,
  ],
  [
    'moves the bug',
    (s: string) =>
      s.replace('static void', '// two lines\n// more\nstatic void').replace('++', ' = counter + 1'),
    'moved',
    /has moved: assertion at counter\.c:18, before at counter\.c:16; the recorded schedule fits/,
  ],
  [
    'makes another bug of it',
    (s: string) => s.replace('assert(counter == 2)', 'return counter == 2 ? 0 : 1'),
    'other',
    /\(assertion at counter\.c:16\) does not show, but another one does/,
  ],
  [
    'fixes the bug',
    (s: string) =>
      s
        .replace('static void', 'static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic void')
        .replace('counter++;', 'pthread_mutex_lock(&m);\n  counter++;\n  pthread_mutex_unlock(&m);'),
    'gone',
    /The bug is gone: the recorded schedule fits.* no schedule with at most 1 preemption fails either/,
  ],
] as const

describe('replay of a C program that changed', () => {
  it('is refused, naming the file; --rebuild says what became of the bug', async () => {
    const { folder, bug } = await recorded({ 'counter.c': counter, 'shared.h': header })
    for (const [what, edit, fate, words] of edits) {
      writeFileSync(join(folder, 'counter.c'), edit(counter))
      const refused = await faultline(folder, ['replay', bug.schedule])
      expect([what, refused.code]).toEqual([what, 2])
      expect(refused.err).toContain('counter.c changed since it was recorded')
      expect(refused.err).toContain('faultline replay --rebuild')
      const { code, data } = await rebuilt(folder, bug.schedule)
      expect([what, data.rebuilt.fate]).toEqual([what, fate])
      expect(data.rebuilt.text).toMatch(words)
      expect(code).toBe(fate === 'gone' ? 0 : 1)
      expect(data.reproduced).toBe(fate === 'same' || fate === 'moved')
      if (fate === 'gone') continue
      // What shows now can be replayed without --rebuild.
      const again = await faultline(folder, ['replay', data.bugs[0].schedule])
      expect(again.code).toBe(1)
    }
    writeFileSync(join(folder, 'counter.c'), counter)
    writeFileSync(join(folder, 'shared.h'), `${header}// changed\n`)
    const refused = await faultline(folder, ['replay', bug.schedule])
    expect(refused.err).toContain('shared.h changed since it was recorded')
    rmSync(join(folder, 'shared.h'))
    const broken = await faultline(folder, ['replay', '--rebuild', bug.schedule])
    expect(broken.code).toBe(2)
    expect(broken.err).toContain("'shared.h' file not found")
  })
})

describe('replay of a model program that changed', () => {
  it('tells whether the bug is gone', async () => {
    const { folder, bug } = await recorded({ 'p.json': racyCounter() }, 'p.json')
    writeFileSync(join(folder, 'p.json'), JSON.stringify(racyCounter(3)))
    expect((await rebuilt(folder, bug.schedule)).data.rebuilt.fate).toMatch(/same|moved/)
    writeFileSync(join(folder, 'p.json'), JSON.stringify(lockedCounter()))
    expect((await rebuilt(folder, bug.schedule)).data.rebuilt.fate).toBe('gone')
  })

  it('--rebuild on the same program is a replay', async () => {
    const { folder, bug } = await recorded({ 'p.json': racyCounter() }, 'p.json')
    const plain = await faultline(folder, ['replay', bug.schedule])
    expect(await faultline(folder, ['replay', '--rebuild', bug.schedule])).toEqual(plain)
  })
})

describe('files that cannot be replayed', () => {
  const damage: [string, (text: string) => string, RegExp][] = [
    ['truncated', (text) => text.slice(0, text.length / 2), /not JSON, or truncated/],
    [
      'of another version',
      (text) => text.replace('failure/1', 'failure/9'),
      /written by faultline \S+ in another format/,
    ],
    ['of something else', () => '{"format": "other"}', /not a file to replay/],
    [
      'without steps',
      (text) => JSON.stringify({ ...JSON.parse(text), schedule: {} }),
      /edited or is damaged/,
    ],
    [
      'with steps left out',
      (text) => withSteps(text, (steps) => steps.slice(0, -2)),
      /step \d+: expected the program to end/,
    ],
    [
      'with steps exchanged',
      (text) => withSteps(text, (steps) => [...steps.slice(1), steps[0]]),
      /step \d+: expected/,
    ],
    [
      'with another bug',
      (text) => JSON.stringify({ ...JSON.parse(text), bug: { kind: 'deadlock' } }),
      /shows invariant where it should show deadlock: the file was edited/,
    ],
  ]

  it.each(damage)('%s', async (_, change, message) => {
    const { folder, bug } = await recorded({ 'p.json': racyCounter() }, 'p.json')
    const path = join(folder, bug.schedule)
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    for (const argv of [[], ['--rebuild'], ['--step']]) {
      const ran = await faultline(folder, ['replay', bug.schedule, ...argv])
      expect(ran.err).toMatch(message)
      expect(ran.code).toBe(2)
    }
  })

  it('whose program is gone', async () => {
    const { folder, bug } = await recorded({ 'p.json': racyCounter() }, 'p.json')
    writeFileSync(
      join(folder, bug.schedule),
      readFileSync(join(folder, bug.schedule), 'utf8').replaceAll('p.json', 'q.json'),
    )
    const ran = await faultline(folder, ['replay', bug.schedule])
    expect([ran.code, ran.err]).toEqual([2, 'faultline: q.json: no such file\n'])
    expect(readdirSync(folder)).toContain('p.json')
  })
})

function withSteps(text: string, change: (steps: unknown[]) => unknown[]): string {
  const file = JSON.parse(text)
  return JSON.stringify({ ...file, schedule: { ...file.schedule, steps: change(file.schedule.steps) } })
}
