import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { build, UnsupportedError, wasmMachine } from '../../src/frontends/wasm/index.js'
import { endsOf } from './support.js'

async function loadText(text: string, name = 'program.c', flags: readonly string[] = []) {
  const cwd = await mkdtemp(join(tmpdir(), 'faultline-'))
  await writeFile(join(cwd, name), text)
  return wasmMachine(await build({ sources: [name], cwd, flags }))
}

describe('what is not provided', () => {
  it.each([
    ['fork', 'if (fork() == 0) return 1; wait(0);'],
    ['drand48', 'drand48();'],
    ['no_such_function', 'int no_such_function(void); no_such_function();'],
  ])('%s is refused by name', async (name, body) => {
    const text = `#include <pthread.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\nint main(void) { ${body} return 0; }\n`
    const attempt = loadText(text)
    await expect(attempt).rejects.toThrow(UnsupportedError)
    await expect(attempt).rejects.toThrow(name)
  })

  it('memory that the program takes without malloc is refused when it does', async () => {
    const text = `#include <unistd.h>
int main(int argc, char **argv) { return sbrk(65536) == (void *)-1 || __builtin_wasm_memory_grow(0, 1) < 0; }
`
    const machine = await loadText(text)
    expect(() => endsOf(machine)).toThrow('the program uses sbrk or memory.grow')
  })

  it('a function that forgets to return its value is named', async () => {
    const text = 'static int number() {}\nint main() {\n  return number();\n}\n'
    expect(endsOf(await loadText(text, 'program.cpp'))).toEqual([
      'trap: number ends without return, though it must return a value',
    ])
  })

  it('settings of cancellation are kept by each thread', async () => {
    const text = `#include <assert.h>
#include <errno.h>
#include <pthread.h>
static int old;
static void *run(void *argument) {
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setcancelstate(7, &old) == EINVAL);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
  assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
  pthread_testcancel();
  return 0;
}
`
    expect(endsOf(await loadText(text), { strategy: 'optimal' })).toEqual(['ok '])
  })

  it('asynchronous cancellation is refused where a thread can be cancelled', async () => {
    const text = (body: string) => `#include <pthread.h>
int main(void) { pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0); ${body} return 0; }
`
    expect(endsOf(await loadText(text('')))).toEqual(['ok '])
    const machine = await loadText(text('pthread_cancel(pthread_self());'))
    expect(() => endsOf(machine)).toThrow(/PTHREAD_CANCEL_ASYNCHRONOUS.*use PTHREAD_CANCEL_DEFERRED/)
  })

  it('cancellation is refused in C++ without exceptions, where destructors would have to run', async () => {
    const text = '#include <pthread.h>\nint main() { pthread_cancel(pthread_self()); }\n'
    await expect(loadText(text, 'program.cpp', ['-fno-exceptions'])).rejects.toThrow(
      /program\.cpp:2: .*pthread_cancel.*destructors/,
    )
  })

  it('a thread before main is an error, not a deadlock', async () => {
    const text = `#include <pthread.h>
static void *run(void *argument) { return argument; }
__attribute__((constructor)) static void early(void) { pthread_t t; pthread_create(&t, 0, run, 0); }
int main(void) { return 0; }
`
    await expect(loadText(text)).rejects.toThrow(/before main/)
  })

  it('constructors run once, before the initial state', async () => {
    const text = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int *block, count;
__attribute__((constructor)) static void early(void) { block = malloc(8); block[1] = 7; count++; }
int main(void) { assert(block[1]++ == 7); assert(count++ == 1); free(block); return 0; }
`
    const machine = await loadText(text)
    const driver = { value: 0, next: () => (machine.pending.status[0] === 1 ? 0 : -1) }
    for (let i = 0; i < 3; i++) {
      machine.run(driver)
      expect(machine.bug).toBe(null)
    }
  })

  it('a constructor that fails is a bug of every execution', async () => {
    const text = `#include <assert.h>
__attribute__((constructor)) static void early(void) { assert(0); }
int main(void) { return 0; }
`
    const machine = await loadText(text)
    for (let i = 0; i < 2; i++) {
      machine.run({ value: 0, next: () => -1 })
      expect(machine.bug?.kind).toBe('assertion')
    }
  })
})
