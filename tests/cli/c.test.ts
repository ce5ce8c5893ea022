import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultline, folderWith } from './run.js'

const adder = {
  'add.h': 'int add(int a, int b);\n',
  'add.c': '#include "add.h"\nint add(int a, int b) { return a + b; }\n',
  'main.c': `#include <add.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  char line[20];
  assert(fgets(line, sizeof line, stdin) && strcmp(line, "from stdin\\n") == 0);
  assert(argc == 1 + TWO && strcmp(argv[2], "--two") == 0);
  assert(strcmp(getenv("WHO"), "me") == 0);
  printf("%s\\n", argv[1]);
  assert(add(N, 1) != 8);
}
`,
  'input.txt': 'from stdin\n',
}

describe('C on the command line', () => {
  it('passes on flags, arguments, environment and input, and replays with them', async () => {
    const folder = folderWith(adder)
    const argv = [
      'main.c',
      'add.c',
      '-I.',
      '-DN=7',
      '-O1',
      '-std=c11',
      '--cflag=-DTWO=2',
      '--env',
      'WHO=me',
      '--stdin',
      'input.txt',
    ]
    const ran = await faultline(folder, ['check', ...argv, '--json', '--', 'one', '--two'])
    expect(ran.err).toBe('')
    const { bugs, scope } = JSON.parse(ran.out)
    expect(scope).toContain('compiled at -O1')
    expect(bugs[0]).toMatchObject({ kind: 'assertion', location: 'main.c:12', output: 'one\n' })
    expect((await faultline(folder, ['replay', bugs[0].schedule])).code).toBe(1)
    // A header that changed makes another program, too.
    writeFileSync(join(folder, 'add.h'), 'int add(int b, int a);\n')
    const changed = await faultline(folder, ['replay', bugs[0].schedule])
    expect(changed.code).toBe(2)
    expect(changed.err).toContain('add.h changed since it was recorded')
  })

  it('checks for leaks and reuses freed memory if asked, says so, and replays so', async () => {
    const folder = folderWith({
      'heap.c': `#include <assert.h>
#include <stdlib.h>
int main(void) {
  void *a = malloc(10);
  free(a);
  void *b = malloc(10);
  assert(a != b);
  return 0;
}
`,
    })
    const run = async (...argv: string[]) =>
      JSON.parse((await faultline(folder, ['check', 'heap.c', '--json', ...argv])).out)
    const plain = await run('--heap', 'fresh')
    expect([plain.verdict, plain.scope.includes('freed memory never reused')]).toEqual(['verified', true])
    // Left to itself, a check samples what happens when memory is given out again.
    const sampled = await run()
    expect([sampled.verdict, sampled.bugs[0].kind]).toEqual(['bug', 'assertion'])
    expect((await faultline(folder, ['replay', sampled.bugs[0].schedule])).code).toBe(1)
    for (const [flags, kind] of [
      [['--leaks'], 'leak'],
      [['--heap', 'reuse'], 'assertion'],
    ] as const) {
      const { bugs, scope } = await run(...flags)
      expect(bugs[0].kind).toBe(kind)
      expect(scope.includes('freed memory reused at once')).toBe(kind === 'assertion')
      const again = await faultline(folder, ['replay', bugs[0].schedule, '--json'])
      expect([again.code, JSON.parse(again.out).bugs[0].kind]).toEqual([1, kind])
    }
    const wrong = await faultline(folder, ['check', 'heap.c', '--heap', 'other'])
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('fresh, reuse')])
  })

  it('does not say verified where an invariant was not looked at everywhere', async () => {
    const program = (write: string) => `#include <faultline.h>
#include <pthread.h>
static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int holds(void) { return x >= y; }
static void *w(void *a) {
  pthread_mutex_lock(&m);
  ${write}
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  faultline_invariant(holds);
  pthread_create(&t, 0, w, 0);
  w(0);
  pthread_join(t, 0);
}
`
    const folder = folderWith({ 'right.c': program('x++; y++;'), 'wrong.c': program('y++; x++;') })
    const verdict = async (...argv: string[]) =>
      JSON.parse((await faultline(folder, ['check', ...argv, '--json'])).out).verdict
    expect(await verdict('right.c')).toBe('verified')
    expect(await verdict('wrong.c')).toBe('bug')
    expect(await verdict('right.c', '-s', 'deepen')).toBe('bounded')
    expect(await verdict('wrong.c', '-s', 'deepen')).not.toBe('verified')
  })

  it.each(['auto', 'deepen'])(
    'interrupts copies that race, and says so where it cannot: %s',
    async (strategy) => {
      const program = (type: string, check: string, before = '', after = '') => `#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
typedef struct { long long a, b, c; } three;
${type} shared, one;
void *write_it(void *p) { ${before} shared = one; ${after} return p; }
int main(void) {
  pthread_t t;
  one = (${type}){1};
  pthread_create(&t, 0, write_it, 0);
  ${before} ${type} r = shared; ${after}
  pthread_join(t, 0);
  assert(${check});
  return 0;
}
`
      const folder = folderWith({
        'torn.c': program('three', 'r.a == r.c').replace('{1}', '{1, 1, 1}'),
        'harmless.c': program('three', 'r.a == 0 || r.a == 1'),
        'locked.c': program(
          'three',
          'r.a == r.c',
          'pthread_mutex_lock(&m);',
          'pthread_mutex_unlock(&m);',
        ).replace('{1}', '{1, 1, 1}'),
        'long.c': program('long double', 'r < 2'),
      })
      const run = async (file: string) =>
        JSON.parse((await faultline(folder, ['check', file, '--json', '--strategy', strategy])).out)
      expect((await run('torn.c')).verdict).toBe('bug')
      expect(await run('harmless.c')).toMatchObject({ verdict: 'verified', caveats: [] })
      expect((await run('locked.c')).verdict).toBe('verified')
      const long = await run('long.c')
      expect(long.verdict).toBe('bounded')
      expect(long.caveats.join()).toMatch(/an access of more than 8 bytes/)
    },
  )

  it.each([
    ['does not compile', 'int main(void) { retrun 0; }\n', /program\.c:1:18: error: .*'retrun'/],
    ['has no main', 'int f(void) { return 0; }\n', /no main function in program\.c/],
    [
      'calls what is not there',
      'int fork(void);\nint main(void) { return fork(); }\n',
      /program\.c:2: .*fork/,
    ],
  ])('says so when a program %s', async (_, source, message) => {
    const folder = folderWith({ 'program.c': source })
    const ran = await faultline(folder, ['check', 'program.c'])
    expect(ran.err).toMatch(message)
    expect(ran.err).not.toMatch(/\n\s+at /)
    expect(ran.code).toBe(2)
    expect(ran.out).toBe('')
    expect(existsSync(join(folder, '.faultline'))).toBe(false)
  })

  it('says so when a file is missing, of whatever kind', async () => {
    const folder = folderWith({ 'a.c': 'int main(void) { return 0; }\n' })
    for (const [argv, message] of [
      [['missing.c'], /missing\.c: no such file/],
      [['a.c', '--stdin', 'missing.txt'], /--stdin missing\.txt: no such file/],
      [['a.c', '--cc', 'no-such-clang'], /no-such-clang/],
    ] as const) {
      const ran = await faultline(folder, ['check', ...argv])
      expect(ran.err).toMatch(message)
      expect(ran.code).toBe(2)
    }
  })

  it('names the threads that are left over, and does not say verified', async () => {
    const folder = folderWith({
      'left.c': `#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *waiter(void *arg) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return arg; }
int main(void) { pthread_t t; pthread_create(&t, NULL, waiter, NULL); return 0; }
`,
    })
    const { verdict, caveats, guarantee } = JSON.parse(
      (await faultline(folder, ['check', 'left.c', '--json'])).out,
    )
    expect(verdict).toBe('bounded')
    expect(caveats[0]).toContain('waiter (0.1)')
    expect(guarantee).toContain(caveats[0])
  })
})
