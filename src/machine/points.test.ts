import { describe, expect, test } from 'vitest'
import { Op, operations } from './operation.js'
import {
  addPoints,
  everywhere,
  finest,
  formatPoints,
  hasKind,
  includesPoints,
  isEverywhere,
  parsePoints,
  rulesAccept,
  samePoints,
} from './points.js'

describe('PP sets', () => {
  test.each([
    ['', 'yield'],
    ['lock', 'yield,lock'],
    ['unlock, lock', 'yield,lock,unlock'],
    ['lock,lock', 'yield,lock'],
    ['everywhere', 'yield,everywhere'],
    ['sync,race:queue.c:41', 'yield,sync,race:queue.c:41'],
    ['race:queue.c:41@0.1', 'yield,race:queue.c:41@0.1'],
  ])('%j is %s, and the same when read again', (text, formatted) => {
    const points = parsePoints(text)
    expect(formatPoints(points)).toBe(formatted)
    expect(parsePoints(formatPoints(points))).toEqual(points)
  })

  test('split words on top of everything else', () => {
    const split = parsePoints('everywhere,words:a.c:1@0.1')
    expect(formatPoints(split)).toBe('yield,everywhere,words:a.c:1@0.1')
    expect(includesPoints(split, everywhere)).toBe(true)
    expect(includesPoints(everywhere, split)).toBe(false)
    expect(includesPoints(everywhere, parsePoints('race:a.c:1'))).toBe(true)
    expect(includesPoints(parsePoints('words:a.c:1'), parsePoints('race:a.c:1@0.2'))).toBe(true)
    expect(includesPoints(parsePoints('race:a.c:1'), parsePoints('words:a.c:1@0.2'))).toBe(false)
    const added = addPoints(parsePoints('race:a.c:1@0.1'), { races: [{ site: 'a.c:1', words: true }] })
    expect(formatPoints(added)).toBe('yield,words:a.c:1')
    expect(formatPoints(finest(added))).toBe('everywhere,words:a.c:1')
  })

  test('that make no sense are refused with what would be right', () => {
    expect(() => parsePoints('locks')).toThrow(
      'unknown preemption point "locks"; known are yield, txn, lock, unlock, release, sync, atomic, everywhere, race:SITE and words:SITE',
    )
    expect(() => parsePoints('race:')).toThrow('race: needs a site')
  })

  test('hold a race of one thread or of all', () => {
    expect(parsePoints('race:a:1').races).toEqual([{ site: 'a:1' }])
    expect(parsePoints('race:a:1@0.2').races).toEqual([{ site: 'a:1', thread: '0.2' }])
  })

  test('stop before the kinds they name, and before all when everywhere', () => {
    const points = parsePoints('lock,sync')
    const stopsAt = (set: typeof points) =>
      Object.entries(Op)
        .filter(([, kind]) => hasKind(set, operations[kind].point))
        .map(([name]) => name)
    expect(stopsAt(points)).toContain('lock')
    expect(stopsAt(points)).toContain('join')
    expect(stopsAt(points)).toContain('yield')
    expect(stopsAt(points)).not.toContain('unlock')
    expect(stopsAt(points)).not.toContain('store')
    expect(stopsAt(points)).not.toContain('atomicUpdate')
    const silent = Object.entries(Op).filter(([, kind]) => operations[kind].point === 'none')
    expect(stopsAt(everywhere)).toHaveLength(operations.length - silent.length)
  })

  test('are everywhere only if no rule narrows them', () => {
    expect(isEverywhere(everywhere)).toBe(true)
    expect(isEverywhere(parsePoints('lock,sync,atomic'))).toBe(false)
    expect(isEverywhere(parsePoints('everywhere', [{ accept: true, function: 'f' }]))).toBe(false)
  })
})

describe('rules', () => {
  const within = (name: string) => ({ accept: true, function: name })
  const without = (name: string) => ({ accept: false, function: name })

  test('accept everything if there is none, or if all only reject others', () => {
    expect(rulesAccept([], ['f'])).toBe(true)
    expect(rulesAccept([without('g')], ['f', 'main'])).toBe(true)
  })

  test('reject by default as soon as one accepts', () => {
    expect(rulesAccept([within('g')], ['f', 'main'])).toBe(false)
    expect(rulesAccept([within('g')], ['f', 'g', 'main'])).toBe(true)
  })

  test('are overruled by later ones, wherever on the stack they match', () => {
    const stack = ['inner', 'outer', 'main']
    expect(rulesAccept([within('outer'), without('inner')], stack)).toBe(false)
    expect(rulesAccept([without('inner'), within('outer')], stack)).toBe(true)
    expect(rulesAccept([without('main'), within('inner')], stack)).toBe(true)
  })

  test('include each other by kinds and races', () => {
    const big = parsePoints('lock,atomic,race:a.c:1,race:a.c:2@0.1')
    for (const [text, isPart] of [
      ['', true],
      ['lock', true],
      ['sync', false],
      ['race:a.c:1@0.2', true],
      ['race:a.c:2@0.1', true],
      ['race:a.c:2@0.2', false],
      ['race:a.c:2', false],
    ] as const)
      expect(includesPoints(big, parsePoints(text)), text).toBe(isPart)
    expect(includesPoints(everywhere, big)).toBe(true)
    expect(includesPoints(big, everywhere)).toBe(false)
    expect(includesPoints(parsePoints('lock', [{ accept: true, function: 'f' }]), parsePoints('lock'))).toBe(
      false,
    )
  })

  test('grow without doubling', () => {
    const some = parsePoints('lock,race:a.c:1')
    const more = addPoints(some, {
      kinds: ['sync', 'lock'],
      races: [
        { site: 'a.c:1', thread: '0.1' },
        { site: 'a.c:2', thread: '0.1' },
      ],
    })
    expect(formatPoints(more)).toBe('yield,lock,sync,race:a.c:1,race:a.c:2@0.1')
    expect(samePoints(more, addPoints(more, { races: some.races }))).toBe(true)
    expect(samePoints(more, some)).toBe(false)
  })
})
