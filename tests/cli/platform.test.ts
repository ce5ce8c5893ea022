import { expect, it } from 'vitest'
import { lockedCounter, unguardedWait } from './programs.js'
import { faultline, folderWith } from './run.js'

async function check(...options: string[]) {
  const folder = folderWith({ 'wait.json': unguardedWait, 'locked.json': lockedCounter() })
  const { code, out } = await faultline(folder, ['check', 'wait.json', ...options, '--json'])
  return { folder, code, report: JSON.parse(out) }
}

it.each([
  ['without options', []],
  ['with points of the user’s own', ['--preempt', 'lock,sync']],
  ['by a search that is told to', ['--strategy', 'optimal', '--spurious', '1']],
])('a wait that relies on its signal is found %s, and replays', async (_, options) => {
  const { folder, code, report } = await check(...options)
  expect(code).toBe(1)
  expect(report.bugs).toMatchObject([{ kind: 'assertion' }])
  const replayed = await faultline(folder, ['replay', report.bugs[0].schedule, '--json'])
  expect(JSON.parse(replayed.out)).toMatchObject({ reproduced: true, bugs: [{ kind: 'assertion' }] })
  const { out } = await faultline(folder, ['replay', report.bugs[0].schedule])
  expect(out.replace(/\s+/g, ' ')).toContain(
    'A wait ended without a signal, as it may at any time: that of waiter',
  )
})

it.each([
  [['--strategy', 'optimal'], 'no spurious wake-ups'],
  [['--spurious', '0'], 'no spurious wake-ups'],
  [['--strategy', 'pos', '--executions', '9'], 'no spurious wake-ups'],
])('without them a guarantee says so: %j', async (options, scope) => {
  const { code, report } = await check(...options)
  expect(code).toBe(0)
  expect(report.scope).toContain(scope)
  expect(report.guarantee).toContain(scope)
})

it('a guarantee says how many there were', async () => {
  const guarded = JSON.parse(JSON.stringify(unguardedWait).replace('"op":"if"', '"op":"while"'))
  guarded.threads.waiter[2].body = [...guarded.threads.waiter[2].then, guarded.threads.waiter[1]]
  delete guarded.threads.waiter[2].then
  const folder = folderWith({ 'wait.json': guarded })
  const run = async (...options: string[]) =>
    JSON.parse((await faultline(folder, ['check', 'wait.json', ...options, '--json'])).out)
  const told = await run('--spurious', '2', '--strategy', 'optimal')
  expect(told).toMatchObject({ verdict: 'verified' })
  expect(told.scope).toContain('at most 2 spurious wake-ups')
  const usual = await run()
  expect(usual.verdict).toBe('verified')
  expect(usual.scope).toContain('no spurious wake-ups (with one, 200 schedules were sampled)')
})

it('programs without condition variables have nothing to say about them', async () => {
  const { folder } = await check('--executions', '1', '--strategy', 'dfs')
  const { out } = await faultline(folder, ['check', 'locked.json', '--json'])
  expect(JSON.parse(out).scope).toEqual(['sequential consistency'])
})

it('settings that mean nothing to a program are refused', async () => {
  const { folder } = await check('--executions', '1', '--strategy', 'dfs')
  const { code, out } = await faultline(folder, ['check', 'wait.json', '--heap', 'reuse', '--json'])
  expect(code).toBe(2)
  expect(JSON.parse(out).error).toContain('--heap: only for C and C++, but wait.json is a model program')
})

it('readers wait for waiting writers where they are told to, and a guarantee says which', async () => {
  const lock = (op: string) => ({ op, rwlock: 'l' })
  const reads = [lock('rdlock'), lock('rdlock'), lock('rwunlock'), lock('rwunlock')]
  const folder = folderWith({
    'nested.json': { rwlocks: ['l'], threads: { a: reads, b: [lock('wrlock'), lock('rwunlock')] } },
  })
  const without = await faultline(folder, ['check', 'nested.json', '--json'])
  expect(without.code).toBe(0)
  expect(JSON.parse(without.out).scope).toContain('readers that do not wait for a waiting writer')
  const { code, out } = await faultline(folder, ['check', 'nested.json', '--prefer-writers', '--json'])
  expect(code).toBe(1)
  const [bug] = JSON.parse(out).bugs
  expect(bug).toMatchObject({ kind: 'deadlock' })
  const replayed = await faultline(folder, ['replay', bug.schedule, '--json'])
  expect(JSON.parse(replayed.out)).toMatchObject({ reproduced: true, bugs: [{ kind: 'deadlock' }] })
})
