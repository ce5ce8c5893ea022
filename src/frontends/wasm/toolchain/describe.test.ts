import { expect, it } from 'vitest'
import { describeSites, sourceName } from './describe.js'

it('names are those of the source', () => {
  expect(sourceName('__main_argc_argv')).toBe('main')
  expect(sourceName('__main_argc_argv.calls')).toBe('main.calls')
  expect(sourceName('worker')).toBe('worker')
  expect(sourceName('Queue::push(int)')).toBe('Queue::push')
  expect(sourceName('Queue::size() const')).toBe('Queue::size')
  expect(sourceName('Adder::operator()(int, int) const')).toBe('Adder::operator()')
  expect(sourceName('(anonymous namespace)::f(void (*)(int))')).toBe('(anonymous namespace)::f')
  expect(sourceName('tsan.module_ctor')).toBe('tsan.module_ctor')
  expect(sourceName('queue::Queue::push::h0123456789abcdef')).toBe('queue::Queue::push')
})

it('sites at one place are told apart, also without a line', () => {
  const raw = { kind: 'load', size: 4, offset: 7, function: 1 } as const
  const frame = [{ function: 'f', file: 'a.c', line: 3, column: 5 }]
  const sites = describeSites(
    [raw, { ...raw, kind: 'store' }, raw, raw],
    [frame, frame, frame, []],
    ['', 'f(int)'],
  )
  expect(sites.map((site) => site.name)).toEqual([
    'a.c:3:5:load',
    'a.c:3:5:store',
    'a.c:3:5:load#2',
    'f+7:load',
  ])
  expect(sites[3].function).toBe('f')
  expect(sites[3].line).toBeUndefined()
})
