import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'
import { locks } from './locks.js'

const storeBuffering = {
  variables: { x: 0, y: 0 },
  threads: {
    a: [
      { op: 'store', var: 'x', value: 1 },
      { op: 'load', var: 'y', into: 'r' },
    ],
    b: [
      { op: 'store', var: 'y', value: 1 },
      { op: 'load', var: 'x', into: 'r' },
    ],
  },
  atEnd: { 'one saw the other': ['||', ['reg', 'a', 'r'], ['reg', 'b', 'r']] },
}

const check = async (...options: string[]) => {
  const folder = folderWith({ 'sb.json': storeBuffering })
  const { code, out, err } = await faultline(folder, ['check', 'sb.json', ...options, '--json'])
  return { folder, code, err, report: JSON.parse(out) }
}

it.each(['auto', 'deepen', 'graphs', 'dfs', 'pos', 'random', 'pct', 'best-first'])(
  'store buffering fails under tso by %s, and replays under tso alone',
  async (strategy) => {
    const bound = strategy === 'best-first' ? ['--bound', '3'] : []
    const { folder, code, report } = await check('--memory-model', 'tso', '--strategy', strategy, ...bound)
    expect(code).toBe(1)
    expect(report.bugs).toMatchObject([{ kind: 'invariant' }])
    const path = join(folder, report.bugs[0].schedule)
    const again = await faultline(folder, ['replay', report.bugs[0].schedule, '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ reproduced: true, bugs: [{ kind: 'invariant' }] })
    const text = await faultline(folder, ['replay', report.bugs[0].schedule])
    expect(text.out.replace(/\s+/g, ' ')).toMatch(
      /The memory model allows this: [ab] at [ab]:1 reads an old value of [xy] although 1 \(write 1 of thread [01]\) was stored before\./,
    )
    const file = readFileSync(path, 'utf8')
    expect(file).toContain('memoryModel=tso')
    writeFileSync(path, file.replace('"memoryModel": "tso"', '"memoryModel": "pso"'))
    const other = await faultline(folder, ['replay', report.bugs[0].schedule])
    expect(other.code).toBe(2)
    expect(other.err).toContain('the schedule does not fit the program any more')
  },
)

it('a guarantee names the model', async () => {
  expect((await check('--memory-model', 'sc')).report.guarantee).toContain('sequential consistency')
  const fenced = JSON.parse(JSON.stringify(storeBuffering))
  for (const body of Object.values(fenced.threads) as object[][]) body.splice(1, 0, { op: 'fence' })
  const own = folderWith({ 'fenced.json': fenced })
  for (const [model, name] of [
    ['tso', 'total store order (TSO)'],
    ['pso', 'partial store order (PSO)'],
  ]) {
    const { code, out } = await faultline(own, ['check', 'fenced.json', '--memory-model', model, '--json'])
    const report = JSON.parse(out)
    expect(code).toBe(0)
    expect(report.verdict).toBe('verified')
    expect(report.guarantee).toContain(name)
  }
})

it('a data race is a bug under c11, with both sides', async () => {
  const { code, report } = await check('--memory-model', 'c11')
  expect(code).toBe(1)
  expect(report.bugs).toMatchObject([{ kind: 'data-race' }])
  expect(report.bugs[0].message).toMatch(/a|b (reads|writes) [xy], which (a|b) (read|wrote) at [ab]:[01]/)
})

it.each([
  ['optimal', []],
  ['source', []],
  ['dpor', []],
  ['icb', []],
  ['best-first', []],
])('%s is refused, with what to use instead', async (strategy, options) => {
  const folder = folderWith({ 'sb.json': storeBuffering })
  const { code, err } = await faultline(folder, [
    ...['check', 'sb.json', '--memory-model', 'tso', '--strategy', strategy],
    ...options,
  ])
  expect(code).toBe(2)
  expect(err).toContain(
    'its reduction is not known to be right under the memory model tso; use dfs, graphs or delay',
  )
})

it('graphs is refused where waits end by time, which auto gets over, and where points are few', async () => {
  const folder = folderWith({
    'timed.json': {
      mutexes: { m: 'plain' },
      conditions: ['c'],
      threads: {
        a: [
          { op: 'lock', mutex: 'm' },
          { op: 'timedwait', condition: 'c', mutex: 'm' },
          { op: 'unlock', mutex: 'm' },
        ],
      },
    },
    'sb.json': storeBuffering,
  })
  const graphs = ['--memory-model', 'tso', '--strategy', 'graphs']
  const timed = await faultline(folder, ['check', 'timed.json', ...graphs])
  const unknown = 'graphs: knows nothing of return from wait'
  expect([timed.code, timed.err]).toEqual([2, expect.stringContaining(unknown)])
  const few = await faultline(folder, ['check', 'sb.json', ...graphs, '--preempt', 'yield'])
  expect([few.code, few.err]).toEqual([2, expect.stringContaining('graphs: needs points everywhere')])
  const divided = await faultline(folder, ['check', 'sb.json', ...graphs, '--workers', '2', '--json'])
  expect(JSON.parse(divided.out)).toMatchObject({ verdict: 'bug' })
  const { out } = await faultline(folder, ['check', 'timed.json', '--memory-model', 'c11', '--json'])
  expect(JSON.parse(out)).toMatchObject({ verdict: 'verified' })
})

it('races, invariants and programs of other kinds are refused by name', async () => {
  const folder = folderWith({ 'sb.json': storeBuffering })
  expect((await faultline(folder, ['check', 'sb.json', '--memory-model', 'tso', '--races'])).err).toContain(
    '--races: not under the memory model tso',
  )
  const own = folderWith({
    'watched.json': { ...storeBuffering, invariants: { small: ['<', 'x', 2] } },
    'a.c': '',
  })
  expect((await faultline(own, ['check', 'watched.json', '--memory-model', 'pso'])).err).toContain(
    'there is no one state of memory to look at under the memory model pso',
  )
})

it.each(Object.keys(locks))('%s is broken under tso without fences, and verified with them', async (name) => {
  const own = folderWith({
    'bare.json': locks[name]({ fences: false }),
    'fenced.json': locks[name]({ fences: true }),
  })
  const verdictOf = async (file: string, ...options: string[]) =>
    JSON.parse((await faultline(own, ['check', file, ...options, '--json'])).out).verdict
  expect(await verdictOf('bare.json')).toBe('verified')
  expect(await verdictOf('bare.json', '--memory-model', 'tso')).toBe('bug')
  expect(await verdictOf('fenced.json', '--memory-model', 'tso')).toBe('verified')
})

it('bugs are stepped over by dfs: what follows a failure would show graphs which others there are', async () => {
  const folder = folderWith({ 'sb.json': storeBuffering })
  const argv = ['check', 'sb.json', '--memory-model', 'tso', '--ignore', 'invariant']
  const refused = await faultline(folder, [...argv, '--strategy', 'graphs'])
  expect(refused).toMatchObject({ code: 2 })
  expect(refused.err).toContain('graphs cannot step over a bug; use dfs')
  const { out } = await faultline(folder, [...argv, '--json'])
  expect(JSON.parse(out)).toMatchObject({ verdict: 'bounded', phases: [{}, { strategy: 'dfs' }] })
})
