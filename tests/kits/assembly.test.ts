import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'

/** A thread library in which threads begin, exchange words and end in assembly, as on the machine that it is written for. */
const library = {
  'inc/mutex_type.h': 'typedef struct { int is_free; } mutex_t;\n',
  'inc/cond_type.h': 'typedef int cond_t;\n',
  'inc/sem_type.h': 'typedef int sem_t;\n',
  'inc/rwlock_type.h': 'typedef int rwlock_t;\n',
  'libthread/stubs.S': `
#include <syscall_int.h>
.globl exchange, fork_thread
.globl leave
exchange:
  movl 4(%esp), %ecx    /* the word */
  movl 8(%esp), %eax
  xchg (%ecx), %eax     # and what was there
  ret
fork_thread:
  pushl %ebx
  movl 8(%esp), %ebx    // its stack
  int $THREAD_FORK_INT
  testl %eax, %eax
  jz 1f
  popl %ebx
  ret
1:
  movl %ebx, %esp
  call body
leave:
  movl 4(%esp), %ebx
  movl $1, (%ebx)
  int $VANISH_INT
`,
  'libthread/thread.c': `
#include <mutex.h>
#include <stdlib.h>
#include <syscall.h>
#include <thread.h>
int exchange(volatile int *word, int value);
int fork_thread(void *stack);
void leave(volatile int *is_gone);
/* What no header declares, as older compilers had it: one variable. */
int stack_size;
static struct { int tid; void *status; char *stack; volatile int has_ended; } child;
int mutex_init(mutex_t *mp) { return mp->is_free = 1, 0; }
void mutex_lock(mutex_t *mp) { while (!exchange(&mp->is_free, 0)) yield(-1); }
void mutex_unlock(mutex_t *mp) { exchange(&mp->is_free, 1); }
int thr_init(unsigned size) { return stack_size = size, 0; }
int thr_getid(void) { return gettid(); }
void body(void *(*function)(void *), void *argument) { thr_exit(function(argument)); }
void thr_exit(void *status) {
  child.status = status;
#ifdef MISTAKE
  child.has_ended = 1;
  vanish();
#else
  leave(&child.has_ended);
#endif
}
int thr_create(void *(*function)(void *), void *argument) {
  child.stack = malloc(stack_size);
  void **top = (void **)(child.stack + stack_size);
  *--top = argument;
  *--top = function;
  return child.tid = fork_thread(top);
}
int thr_join(int tid, void **status) {
  while (!child.has_ended) yield(tid);
  free(child.stack);
  if (status) *status = child.status;
  return 0;
}
`,
  'libthread/other.c': 'int stack_size;\n',
}

function treeWith(files: Readonly<Record<string, string>>): string {
  const folder = folderWith({})
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'user', path)), { recursive: true })
    writeFileSync(join(folder, 'user', path), text)
  }
  return folder
}

const run = (files: Readonly<Record<string, string>>, ...options: string[]) =>
  faultline(treeWith(files), ['kit', 'pebbles', '.', '--budget', '60s', '--out', 'out', ...options])

describe('assembly of thread libraries', () => {
  it('is run: threads begin and end in it', async () => {
    const { out } = await run(library, '--test', 'thr_exit_join')
    expect(out).toMatch(/thr_exit_join +verified/)
  })

  it('uses the stack only where it does so', async () => {
    if (!isFull) return
    const { out } = await run(library, '--test', 'thr_exit_join', '-D', 'MISTAKE')
    expect(out).toMatch(/BUG +use-after-free: .* at user\/libthread\/thread\.c:22/)
  })

  it('is named where it is not understood', async () => {
    if (!isFull) return
    const strange = library['libthread/stubs.S'].replace('xchg', 'cpuid')
    const { out } = await run({ ...library, 'libthread/stubs.S': strange }, '--test', 'mutex_test')
    expect(out).toMatch(/not run +exchange \(libthread\/stubs\.S, line 8: cpuid .* is not understood\)/)
  })
})
