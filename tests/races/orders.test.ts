import { describe, expect, test } from 'vitest'
import {
  atomicLoad,
  atomicStore,
  compareExchange,
  exchange,
  fence,
  fetchAdd,
  load,
  store,
  when,
} from '../../src/frontends/model/build.js'
import type { MemoryOrder, Statement } from '../../src/frontends/model/program.js'
import { detect, pairs } from './detect.js'

/** Whether pure happens-before sees a race on the data in any schedule; the flag tells the reader when to look. */
function races(threads: Record<string, readonly Statement[]>): boolean {
  const table = detect({ variables: { data: 0, flag: 0, other: 0 }, threads }, 'pure')
  return table.toData().some((race) => race.object === 'data')
}

const reader = (...read: Statement[]) => [...read, when(['!=', 'r', 0], [load('data', 'd')])]
const publish = (order?: MemoryOrder) => [store('data', 1), atomicStore('flag', 1, order)]

describe('a message passed through an atomic flag', () => {
  test.each<[MemoryOrder, MemoryOrder, boolean]>([
    ['seq_cst', 'seq_cst', false],
    ['release', 'acquire', false],
    ['release', 'consume', false],
    ['relaxed', 'acquire', true],
    ['release', 'relaxed', true],
    ['relaxed', 'relaxed', true],
  ])('store %s, load %s: race %s', (written, read, expected) => {
    expect(races({ writer: publish(written), reader: reader(atomicLoad('flag', 'r', read)) })).toBe(expected)
  })

  test('orders default to seq_cst', () => {
    expect(races({ writer: publish(), reader: reader(atomicLoad('flag', 'r')) })).toBe(false)
  })

  test.each<[MemoryOrder, boolean]>([
    ['acquire', false],
    ['acq_rel', false],
    ['release', true],
    ['relaxed', true],
  ])('read by an update of order %s: race %s', (order, expected) => {
    expect(races({ writer: publish('release'), reader: reader(fetchAdd('flag', 0, 'r', order)) })).toBe(
      expected,
    )
    expect(races({ writer: publish('release'), reader: reader(exchange('flag', 2, 'r', order)) })).toBe(
      expected,
    )
  })

  test.each<[MemoryOrder, MemoryOrder, boolean]>([
    ['relaxed', 'acquire', false],
    ['acquire', 'relaxed', true],
  ])(
    'read by a compare-exchange that fails, order %s, of failure %s: race %s',
    (order, failure, expected) => {
      const read = compareExchange('flag', 7, 8, 'r', order, failure)
      expect(races({ writer: publish('release'), reader: reader(read) })).toBe(expected)
    },
  )

  test('a compare-exchange that succeeds has its own order, not that of failure', () => {
    const take = (order: MemoryOrder) => [
      compareExchange('flag', 1, 2, 'r', order, 'acquire'),
      when(['==', 'r', 1], [load('data', 'd')]),
    ]
    expect(races({ writer: publish('release'), reader: take('acquire') })).toBe(false)
    expect(races({ writer: publish('release'), reader: take('relaxed') })).toBe(true)
  })
})

describe('release sequences', () => {
  const seen = (value: number) => [
    atomicLoad('flag', 'r', 'acquire'),
    when(['==', 'r', value], [load('data', 'd')]),
  ]

  test('a relaxed update of another thread continues one', () => {
    const add = [fetchAdd('flag', 10, 'q', 'relaxed')]
    expect(races({ writer: publish('release'), add, reader: seen(11) })).toBe(false)
  })

  test('a relaxed store of another thread ends it', () => {
    const end = [atomicLoad('flag', 'q', 'relaxed'), when('q', [atomicStore('flag', 5, 'relaxed')])]
    expect(races({ writer: publish('release'), end, reader: seen(5) })).toBe(true)
  })

  test('a relaxed store of the same thread ends it too, as in C++20', () => {
    const writer = [...publish('release'), atomicStore('flag', 2, 'relaxed')]
    expect(races({ writer, reader: seen(2) })).toBe(true)
  })

  test('a plain store ends it', () => {
    const writer = [...publish('release'), store('flag', 2)]
    expect(races({ writer, reader: seen(2) })).toBe(true)
  })

  describe('an update that leaves the value as it was', () => {
    const writer = [store('data', 1), fetchAdd('flag', 0, 'q', 'release'), atomicStore('other', 1, 'relaxed')]
    const reader = [
      atomicLoad('other', 'r', 'relaxed'),
      atomicLoad('flag', 'q', 'acquire'),
      when('r', [load('data', 'd')]),
    ]

    test('orders no read that could have come before it', () => {
      expect(races({ writer, reader })).toBe(true)
    })

    test('releases to those who see a later update', () => {
      const later = [
        ...writer.slice(0, 2),
        fetchAdd('flag', 1, 'q', 'relaxed'),
        atomicStore('other', 1, 'relaxed'),
      ]
      expect(races({ writer: later, reader })).toBe(false)
    })
  })
})

describe('fences', () => {
  const write = (...between: Statement[]) => [store('data', 1), ...between, atomicStore('flag', 1, 'relaxed')]
  const read = (...between: Statement[]) => [
    atomicLoad('flag', 'r', 'relaxed'),
    ...between,
    when('r', [load('data', 'd')]),
  ]

  test.each<[MemoryOrder, MemoryOrder, boolean]>([
    ['release', 'acquire', false],
    ['seq_cst', 'seq_cst', false],
    ['acq_rel', 'acq_rel', false],
    ['acquire', 'acquire', true],
    ['release', 'release', true],
  ])('%s before the relaxed store, %s after the relaxed load: race %s', (writer, reading, expected) => {
    expect(races({ writer: write(fence(writer)), reader: read(fence(reading)) })).toBe(expected)
  })

  test('each is needed', () => {
    expect(races({ writer: write(), reader: read(fence('acquire')) })).toBe(true)
    expect(races({ writer: write(fence('release')), reader: read() })).toBe(true)
  })

  test('a fence covers what was written before it, not what comes between it and the store', () => {
    const writer = [fence('release'), store('data', 1), atomicStore('flag', 1, 'relaxed')]
    expect(races({ writer, reader: read(fence('acquire')) })).toBe(true)
  })

  test('pair with orders on the other side', () => {
    expect(
      races({ writer: write(fence('release')), reader: reader(atomicLoad('flag', 'r', 'acquire')) }),
    ).toBe(false)
    expect(races({ writer: publish('release'), reader: read(fence('acquire')) })).toBe(false)
  })
})

describe('atomics and plain accesses', () => {
  test('atomics do not race with each other, whatever their order', () => {
    const table = detect(
      {
        variables: { x: 0 },
        threads: {
          a: [atomicStore('x', 1, 'relaxed')],
          b: [fetchAdd('x', 1, 'r', 'relaxed')],
          c: [atomicLoad('x', 'r', 'relaxed')],
        },
      },
      'pure',
    )
    expect(pairs(table)).toEqual([])
  })

  test.each(['pure', 'limited'] as const)('%s: they race with plain ones, if one writes', (kind) => {
    const program = {
      variables: { x: 0 },
      threads: {
        a: [atomicStore('x', 1)],
        b: [load('x', 'r')],
        c: [store('x', 2)],
        d: [atomicLoad('x', 'r')],
      },
    }
    expect(pairs(detect(program, kind))).toEqual(['a:0 / b:0', 'a:0 / c:0', 'b:0 / c:0', 'c:0 / d:0'])
  })
})
