import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Program, Statement } from '../../src/frontends/model/program.js'
import { Random } from '../../src/random/random.js'
import { faultline } from '../cli/run.js'
import { isFull, times } from '../support/effort.js'

/** Whole runs of the built command, with worker threads: `npm test` builds first. */
const bin = join(import.meta.dirname, '../../bin/faultline.js')
/** How often a run is killed. */
const kills = times(1)
const timeout = 600_000

const add = (times: number): Statement[] =>
  Array.from({ length: times }, () => ({ op: 'fetchAdd', var: 'x', value: 1, into: 'r' }) as const)

/** Every order of the additions is a class of its own: seconds of work, and more than the first look does. */
function additions(counts: readonly number[]): Program {
  return { variables: { x: 0 }, threads: Object.fromEntries(counts.map((n, i) => [`t${i}`, add(n)])) }
}

function folderWith(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-runs-'))
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

function start(folder: string, argv: readonly string[]): ChildProcess & { out: string; err: string } {
  const child = Object.assign(
    spawn(process.execPath, [bin, 'check', ...argv, '--json', '--budget', '300s'], { cwd: folder }),
    { out: '', err: '' },
  )
  child.stdout?.on('data', (text) => {
    child.out += text
  })
  child.stderr?.on('data', (text) => {
    child.err += text
  })
  return child
}

async function finish(child: ReturnType<typeof start>) {
  const [code] = await once(child, 'close')
  return { code, report: child.out === '' ? null : JSON.parse(child.out), err: child.err }
}

const run = (folder: string, ...argv: string[]) => finish(start(folder, argv))
/** What does not depend on processes is done in this one. */
async function runHere(folder: string, ...argv: string[]) {
  const { code, out, err } = await faultline(folder, ['check', ...argv, '--json', '--budget', '300s'])
  return { code, report: out === '' ? null : JSON.parse(out), err }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('workers', () => {
  it(
    'finish what they are given, whoever does it',
    async () => {
      const folder = folderWith({ 'p.json': additions([3, 3, 2, 2]) })
      for (const workers of isFull ? ['1', '2'] : ['2']) {
        const { code, report } = await run(folder, 'p.json', '--strategy', 'deepen', '--workers', workers)
        expect(code).toBe(0)
        expect(report.verdict).toBe('verified')
        const maximal = report.deepening.jobs.findLast((job: { origin: string }) => job.origin === 'maximal')
        expect(maximal).toMatchObject({ status: 'complete', executions: 25_200 })
      }
    },
    timeout,
  )

  /**
   * Dies in the first worker thread that loads it, some time after. It sleeps in the main thread and in the one that
   * dies, so that the work lasts until then however fast the machine is.
   */
  const deadly = (how: string) => `
    import { isMainThread } from 'node:worker_threads'
    import { existsSync, writeFileSync } from 'node:fs'
    const word = new Int32Array(new SharedArrayBuffer(4))
    const dies = !isMainThread && !existsSync('died')
    if (dies) {
      writeFileSync('died', '')
      setTimeout(() => { ${how} }, 100)
    }
    const thread = (times) => function* (t) {
      if (times === 1 && (isMainThread || dies)) Atomics.wait(word, 0, 0, 1)
      for (let i = 0; i < times; i++) yield t.fetchAdd('x', 1)
    }
    export default {
      variables: { x: 0 },
      threads: { a: thread(1), b: thread(3), c: thread(3), d: thread(3) },
    }
  `

  const deaths = [
    ['ends', 'process.exit(7)', /ended with code 7/],
    ['throws', 'throw new Error("oh dear")', /oh dear/],
    ['runs out of memory', 'const all = []; for (;;) all.push(new Array(1e6).fill(0.5))', /out of memory/],
  ] as const
  const isSurvived = async (_: string, how: string, reason: RegExp) => {
    const folder = folderWith({ 'p.mjs': deadly(how) })
    const { code, report } = await run(
      folder,
      'p.mjs',
      '--strategy',
      'deepen',
      '--workers',
      '2',
      '--worker-memory',
      '200',
    )
    expect(existsSync(join(folder, 'died'))).toBe(true)
    expect(report.problems.join()).toMatch(reason)
    expect(code).toBe(0)
    expect(report.verdict).toBe('verified')
  }
  const title = 'that %s costs its progress, not the run'
  // They differ in what is told of them: every day there is one.
  it.each(deaths.slice(0, 1))(title, isSurvived, timeout)
  it.runIf(isFull).each(deaths.slice(1))(title, isSurvived, timeout)

  it(
    'that die on the same job twice make it given up, and nothing is called verified',
    async () => {
      const program = `
        import { isMainThread } from 'node:worker_threads'
        // After so many executions, whatever the time: a worker that dies before it is ready is another matter.
        let left = isMainThread ? Infinity : 2000
        const thread = (times) => function* (t) {
          if (--left < 0) process.exit(7)
          for (let i = 0; i < times; i++) yield t.fetchAdd('x', 1)
        }
        export default {
          variables: { x: 0 },
          threads: { a: thread(4), b: thread(3), c: thread(3), d: thread(3) },
        }
      `
      const folder = folderWith({ 'p.mjs': program })
      const { code, report } = await run(folder, 'p.mjs', '--strategy', 'deepen', '--workers', '1')
      expect(code).toBe(0)
      expect(report.verdict).not.toBe('verified')
      expect(report.deepening.jobs.some((job: { status: string }) => job.status === 'crashed')).toBe(true)
      expect(report.caveats.join()).toMatch(/given up/)
    },
    timeout,
  )
})

describe('a run that is killed', () => {
  const big = additions([3, 3, 2, 2])
  /** Fails in one order of many. */
  const failing: Program = {
    ...big,
    threads: { ...big.threads, t3: [...add(2), { op: 'assert', condition: ['!=', 'r', 8] }] },
  }

  it.each([
    ['verified', big, 0, []],
    ['bug', failing, 1, [{ kind: 'assertion', location: 't3:2' }]],
  ] as const)(
    'goes on from its last save: %s',
    async (verdict, program, code, bugs) => {
      const random = new Random(20261116)
      const folder = folderWith({ 'p.json': program })
      for (let i = 0; i < kills; i++) {
        const save = `run-${i}.json`
        const options = ['p.json', '--strategy', 'deepen', '--save', save, '--save-every', '100ms']
        const first = start(folder, options)
        while (!existsSync(join(folder, save))) await pause(10)
        await Promise.race([once(first, 'close'), pause(random.below(1500))])
        first.kill('SIGKILL')
        if (first.exitCode === null && first.signalCode === null) await once(first, 'close')
        const saved = JSON.parse(readFileSync(join(folder, save), 'utf8'))
        const again = await run(folder, 'p.json', '--resume', save)
        expect(again).toMatchObject({ code, report: { verdict, bugs } })
        const jobs = again.report.deepening.jobs.map((job: { points: string }) => job.points)
        // What is saved at the very beginning has no jobs yet.
        expect(jobs.length).toBeGreaterThanOrEqual(saved.deepening?.jobs.length ?? 0)
      }
    },
    timeout,
  )

  it(
    'by Ctrl-C says what is known, and can go on',
    async () => {
      const folder = folderWith({ 'p.json': additions([4, 4, 4, 4]) })
      const child = start(folder, [
        'p.json',
        '--strategy',
        'deepen',
        '--save',
        'run.json',
        '--save-every',
        '100ms',
      ])
      const file = join(folder, 'run.json')
      // Before there are jobs, there is nothing to interrupt.
      const hasJobs = () => JSON.parse(readFileSync(file, 'utf8')).deepening?.jobs.length > 0
      while (!existsSync(file) || !hasJobs()) await pause(50)
      child.kill('SIGINT')
      const { code, report } = await finish(child)
      expect(code).toBe(0)
      expect(report.verdict).toBe('budget')
      expect(report.guarantee).toMatch(/interrupted/)
      const saved = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))
      expect(saved.deepening.jobs.some((job: { status: string }) => job.status === 'suspended')).toBe(true)
      const more = await run(
        folder,
        'p.json',
        '--resume',
        'run.json',
        '--executions',
        String(report.executions + 5000),
      )
      expect(more.report.executions).toBeGreaterThan(report.executions)
    },
    timeout,
  )
})

describe('a save', () => {
  const program = additions([3, 3, 3, 3])

  it('that cannot be written is told at once', async () => {
    const folder = folderWith({ 'p.json': program, here: 'a file' })
    const inFile = await runHere(folder, 'p.json', '--strategy', 'deepen', '--save', 'here/run.json')
    expect(inFile.code).toBe(2)
    expect(inFile.err).toMatch(/--save in .*here: the folder cannot be made \(it is a file\)/)
    chmodSync(folder, 0o500)
    const denied = await runHere(
      folder,
      'p.json',
      '--strategy',
      'deepen',
      '--save',
      'run.json',
      '--out',
      tmpdir(),
      '--executions',
      '1',
    )
    chmodSync(folder, 0o700)
    // A superuser may write anywhere.
    if (process.getuid?.() !== 0) expect(denied.code).toBe(2)
    const other = await runHere(folder, 'p.json', '--strategy', 'deepen', '--save', 'p.json')
    expect(other.err).toMatch(/exists and is not a saved run/)
  })

  it(
    'that fails meanwhile costs nothing but the file, and is told of',
    async () => {
      // The program itself puts something in the way of the next save: the run cannot be over before.
      const program = `
        import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
        let isWatching = true
        const inTheWay = 'run.json/in the way'
        const thread = (times) => function* (t) {
          while (isWatching && existsSync('run.json') && !existsSync(inTheWay)) {
            try {
              rmSync('run.json', { recursive: true })
              mkdirSync('run.json')
              writeFileSync(inTheWay, '')
              isWatching = false
            } catch {
              // It was saved again meanwhile.
            }
          }
          for (let i = 0; i < times; i++) yield t.fetchAdd('x', 1)
        }
        export default { variables: { x: 0 }, threads: { a: thread(3), b: thread(3), c: thread(3) } }
      `
      const folder = folderWith({ 'p.mjs': program })
      const options = ['--strategy', 'deepen', '--save', 'run.json', '--save-every', '100ms']
      const { code, report } = await run(folder, 'p.mjs', ...options)
      expect(code).toBe(0)
      expect(report.verdict).toBe('verified')
      expect(report.problems.join()).toMatch(/could not be saved: --save run\.json cannot be written/)
      expect(readdirSync(folder).sort()).toEqual(['p.mjs', 'run.json'])
    },
    timeout,
  )

  it('of another program, another version or another format is refused', async () => {
    const folder = folderWith({ 'p.json': program, 'q.json': additions([3, 3, 3, 2]) })
    await runHere(folder, 'p.json', '--strategy', 'deepen', '--save', 'run.json', '--executions', '3000')
    const text = readFileSync(join(folder, 'run.json'), 'utf8')
    const refused = async (file: string, content: string, program: string, why: RegExp) => {
      writeFileSync(join(folder, file), content)
      const { code, report, err } = await runHere(folder, program, '--resume', file)
      expect(err).toMatch(why)
      expect(code).toBe(2)
      expect(report).toHaveProperty('error')
    }
    await refused('a.json', text, 'q.json', /saved on another program/)
    await refused(
      'b.json',
      text.replace(/"tool":"[^"]*"/, '"tool":"0.0.1"'),
      'p.json',
      /by faultline 0\.0\.1/,
    )
    await refused('c.json', text.slice(0, text.length / 2), 'p.json', /JSON|damaged/)
    await refused(
      'd.json',
      text.replace('"jobs":', '"jubs":'),
      'p.json',
      /"deepening\.jobs" is missing or wrong/,
    )
    await refused('e.json', text.replace('faultline-run/3', 'faultline-run/9'), 'p.json', /another format/)
  })
})
