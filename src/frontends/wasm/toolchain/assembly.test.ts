import { expect, it } from 'vitest'
import { withoutIdioms } from './assembly.js'

const NOTHING = '__asm__ volatile("" ::: "memory");'
const FENCE = '__atomic_thread_fence(__ATOMIC_SEQ_CST);'

it.each([
  ['asm volatile("pause");', NOTHING],
  ['__asm__ __volatile__ ("pause" ::: "memory");', NOTHING],
  ['#define relax() asm volatile ("rep; nop\\n" : : : "memory");', `#define relax() ${NOTHING}`],
  ['__asm("yield");', NOTHING],
  ['asm volatile("mfence" ::: "memory");', FENCE],
  ['__asm__ __volatile__("lock; addl $0,0(%%rsp)" ::: "memory", "cc");', FENCE],
  ['asm volatile("dmb ish" ::: "memory");', FENCE],
])('%s', (text, expected) => {
  expect(withoutIdioms(text)).toBe(expected)
})

it('leaves everything else alone', () => {
  for (const text of [
    'asm volatile("" ::: "memory");',
    'asm volatile("lock; cmpxchg16b %1" : "=a"(old), "+m"(*p) : "r"(v), "0"(o));',
    'asm volatile("bts %1, %0" : "+m"(*p) : "r"(v));',
    'asm volatile("cmpxchgl %2, %1" : "=a"(old), "+m"(*p) : "r"(v), "0"(o));',
    'int pause(void);',
    'extern int x asm("pause_x");',
  ])
    expect(withoutIdioms(text)).toBe(text)
})
