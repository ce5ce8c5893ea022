import { expect, test } from 'vitest'
import { expressionAt } from './source-text.js'

test.each([
  ['  counter++;', 'counter', 'counter'],
  ['  counter++;', '++', 'counter'],
  ['  o->owners--;', 'owners', 'o->owners'],
  ['  o->owners--;', '--', 'o->owners'],
  ['  *value = r->slots[head % SIZE];', 'r->', 'r->slots[head % SIZE]'],
  ['  a.b->next = x->y;', 'next', 'a.b->next'],
  ['  table[i].lock = 1;', 'lock', 'table[i].lock'],
  ['  pthread_mutex_lock(&from->mutex);', 'pthread', 'from->mutex'],
  ['  if (atomic_load(&r->tail) == 3) {', 'atomic', 'r->tail'],
  ['  atomic_store_explicit(&flag, 1, memory_order_release);', 'atomic', 'flag'],
  ['  sum += values[i];', '+=', 'sum'],
  ['  f(g(x), y);', 'f(', undefined],
  ['  int r = *(int *)arg;', '*', '*arg'],
  ['  *(const struct job *)next = 3;', '*', '*next'],
  ['  *value = 1;', '*', '*value'],
  ['  (*value)++;', '(', 'value'],
  ['  n = _w_count.load(std::memory_order_relaxed);', 'load', '_w_count'],
  ['  n = _w_count.load(std::memory_order_relaxed);', '_w_count', '_w_count'],
  ['  _w_count.store(access_count + 1U);', 'store', '_w_count'],
  ['  q->slots[i].ready.fetch_add(step, order);', 'fetch_add', 'q->slots[i].ready'],
  ['  this->m.lock();', 'lock', 'this->m'],
  ['  ops->read(&x);', 'read', 'x'],
  ['  std::lock(a, b);', 'lock', 'a'],
  ['  auto q = std::make_unique<Queue>(4);', 'std', undefined],
  ['  std::vector<int> all(n);', 'std', undefined],
  ['  n = f(std::memory_order_relaxed);', 'std', undefined],
  ['  limits::most = 3;', 'limits', 'limits::most'],
  ['  slots_[at % slots_.size()].value = value;', '=', 'slots_[…].value'],
  ['  slots_[at % slots_.size()].value = value;', 'size', 'slots_'],
  ['  jobs_.push_back(job);', 'push', 'jobs_'],
  ['', '', undefined],
])('%s at %s is about %s', (text, at, expected) => {
  expect(expressionAt(text, text.indexOf(at))).toBe(expected)
})
