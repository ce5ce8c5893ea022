import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Program, Statement } from '../../src/frontends/model/program.js'
import { isFull } from '../support/effort.js'

/** Whole runs of the built command, with worker threads: `npm test` builds first. */
const bin = join(import.meta.dirname, '../../bin/faultline.js')
const timeout = 600_000

const add = (times: number): Statement[] =>
  Array.from({ length: times }, () => ({ op: 'fetchAdd', var: 'x', value: 1, into: 'r' }) as const)

/** Every order of the additions is a class of its own, and there are more than one explores before others join in. */
const additions: Program = {
  variables: { x: 0 },
  threads: { a: add(3), b: add(3), c: add(3), d: add(3) },
}
const classes = 369_600

/** Dies in the first worker thread that loads it, some time after. */
const deadly = `
  import { isMainThread } from 'node:worker_threads'
  import { existsSync, writeFileSync } from 'node:fs'
  if (!isMainThread && !existsSync('died')) {
    writeFileSync('died', '')
    setTimeout(() => process.exit(3), 100)
  }
  export default ${JSON.stringify(additions)}
`

/**
 * While it is held, parts of its search are told to go on only twice: they then wait until they are interrupted, however
 * fast the machine is. (A part goes on when it is answered; what interrupts it is another message.)
 */
const held = `
  import { existsSync } from 'node:fs'
  import { Worker } from 'node:worker_threads'
  const { postMessage } = Worker.prototype
  let answers = 0
  if (existsSync('hold')) {
    Worker.prototype.postMessage = function (command) {
      if (command.kind !== 'answer' || ++answers <= 2) postMessage.call(this, command)
    }
  }
  export default ${JSON.stringify(additions)}
`

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'faultline-workers-'))
  writeFileSync(join(path, 'p.json'), JSON.stringify(additions))
  writeFileSync(join(path, 'p.mjs'), deadly)
  writeFileSync(join(path, 'held.mjs'), held)
  return path
}

function start(cwd: string, ...argv: string[]): ChildProcess & { out: string } {
  const child = Object.assign(
    spawn(process.execPath, [bin, 'check', ...argv, '--json', '--budget', '300s'], { cwd }),
    { out: '' },
  )
  child.stdout?.on('data', (text) => {
    child.out += text
  })
  return child
}

async function finish(child: ReturnType<typeof start>) {
  await once(child, 'close')
  return JSON.parse(child.out)
}

const whole = { verdict: 'verified', executions: classes, blocked: 0, cut: 0 }

test.runIf(isFull)(
  'graphs on three workers: each execution graph once',
  async () => {
    const graphs = ['--memory-model', 'c11', '--strategy', 'graphs', '--workers', '3']
    expect(await finish(start(folder(), 'p.json', ...graphs))).toMatchObject(whole)
  },
  timeout,
)

test.runIf(isFull)(
  'optimal on three workers: each class once',
  async () => {
    expect(await finish(start(folder(), 'p.json', '--strategy', 'optimal', '--workers', '3'))).toMatchObject(
      whole,
    )
  },
  timeout,
)

test(
  'a worker that dies loses nothing, and nothing counts twice',
  async () => {
    const cwd = folder()
    expect(await finish(start(cwd, 'p.mjs', '--strategy', 'source', '--workers', '2'))).toMatchObject({
      verdict: 'verified',
      executions: classes,
    })
    expect(existsSync(join(cwd, 'died'))).toBe(true)
  },
  timeout,
)

test(
  'interrupted while divided, and resumed with another number of workers',
  async () => {
    const cwd = folder()
    const saved = join(cwd, 's.json')
    writeFileSync(join(cwd, 'hold'), '')
    const argv = [
      'held.mjs',
      '--strategy',
      'optimal',
      '--workers',
      '2',
      '--save',
      's.json',
      '--save-every',
      '0.5',
    ]
    const first = start(cwd, ...argv)
    const isDivided = () => existsSync(saved) && readFileSync(saved, 'utf8').includes('"divided"')
    while (first.exitCode === null && !isDivided()) await new Promise((resolve) => setTimeout(resolve, 50))
    first.kill('SIGINT')
    const before = await finish(first)
    rmSync(join(cwd, 'hold'))
    expect(before.executions).toBeLessThan(classes)
    expect(await finish(start(cwd, '--resume', 's.json', '--workers', '1'))).toMatchObject({
      ...whole,
      executions: classes,
    })
  },
  timeout,
)

test(
  'samples are shared out: as many as asked for, though a worker dies',
  async () => {
    const cwd = folder()
    const asked = 1_000_000
    const argv = ['p.mjs', '--strategy', 'pos', '--workers', '2', '--executions', `${asked}`]
    const report = await finish(start(cwd, ...argv))
    expect(report).toMatchObject({ verdict: 'bounded', executions: asked })
    expect(report.statistics.hitBound).toMatchObject({ threads: 4, events: 12 })
    expect(existsSync(join(cwd, 'died'))).toBe(true)
  },
  timeout,
)
