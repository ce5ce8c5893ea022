import type { Mutation } from '../support/mutated-engine.js'

/** Ways to break the rules of interrupts and of threads that sleep, each to be noticed by `mutations.test.ts`. */

const runtime = 'interrupts.c'
const threads = 'bare-threads.c'
const machine = 'frontends/wasm/machine/interrupts.ts'

export const mutations: readonly Mutation[] = [
  {
    what: 'others run in a region without interrupts',
    file: runtime,
    at: 'region begins',
    to: ';',
    also: { file: runtime, at: 'region ends', to: ';' },
  },
  {
    what: 'others run beside a handler',
    file: runtime,
    at: 'handler begins',
    to: 'fl_regions = 1; fl_atomic_end();',
    also: { file: runtime, at: 'handler ends', to: 'fl_regions = 0; fl_atomic_begin();' },
  },
  {
    what: 'a region in a region is not counted',
    file: runtime,
    at: 'disable nests',
    to: 'if (fl_regions == 0) fl_regions = 1, fl_enter_region(FL_INTERRUPTS_OFF);',
  },
  {
    what: 'the first of several enables turns interrupts on',
    file: runtime,
    at: 'enable nests',
    to: 'if (fl_regions-- > 1 && !fl_is_handling) fl_leave_region(), fl_enter_region(FL_INTERRUPTS_OFF); else if (fl_regions == 0) fl_leave_region();',
  },
  {
    what: 'an interrupt comes once less often',
    file: runtime,
    at: 'times',
    to: '*device = (struct fl_device){name, handler, argument, times - 1};',
  },
  {
    what: 'an interrupt comes once more often',
    file: runtime,
    at: 'times',
    to: '*device = (struct fl_device){name, handler, argument, times + 1};',
  },
  {
    what: 'interrupts are on before a thread that blocks sleeps',
    file: runtime,
    at: 'blocks at once',
    to: `int all = fl_regions > 0 ? 2 : 1;
      for (int i = 0; i < all; i++) fl_atomic_end();
      for (int i = 0; i < all; i++) fl_atomic_begin();
      sem_post(&self->asleep);`,
  },
  { what: 'interrupts are off while a thread blocks', file: runtime, at: 'on while blocked', to: ';' },
  { what: 'interrupts are on after a thread has blocked', file: runtime, at: 'off again', to: ';' },
  {
    what: 'interrupts that are on may be enabled',
    file: runtime,
    at: 'enable when on',
    to: 'if (fl_regions == 0) return;',
  },
  { what: 'a handler may enable interrupts', file: runtime, at: 'enable in a handler', to: ';' },
  { what: 'a handler may return from a region', file: runtime, at: 'return from a region', to: ';' },
  { what: 'a handler may block', file: runtime, at: 'block in a handler', to: ';' },
  { what: 'a thread may end with interrupts off', file: threads, at: 'vanish in a region', to: ';' },
  {
    what: 'who is woken before it sleeps does not sleep',
    file: threads,
    at: 'wakes sleepers',
    to: 'if (!fl_is_known(thread)) return fl_leave_kernel(-1);',
  },
  { what: 'who is woken sleeps on', file: threads, at: 'wakes', to: ';' },
  { what: 'a thread sleeps though it must not', file: threads, at: 'rejects', to: ';' },
  {
    what: 'a wake-up comes between the look and the sleep',
    file: threads,
    at: 'sleeps at once',
    to: 'fl_atomic_end(); fl_atomic_begin(); sem_post(&self->asleep);',
  },
  { what: 'calls do without a stack', file: threads, at: 'uses the stack', to: ';' },
  { what: 'race detectors do not know of regions', file: machine, at: 'processor', to: 'return' },
  { what: 'no point behind a region', file: machine, at: 'point behind a region', to: '' },
  { what: 'whoever must not wait may wait', file: machine, at: 'refuses waiting', to: 'return' },
  { what: 'handlers are named as regions', file: machine, at: 'where', to: "'with interrupts off'" },
]
