import { resolve } from 'node:path'
import { main } from '../../src/cli/main.js'
import { explore } from '../../src/execution/explore.js'
import { build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { Random } from '../../src/random/random.js'
import { createStrategy } from '../../src/strategies/index.js'
import { faultline, folderWith } from '../cli/run.js'

/** What runs the scripts of `tests/c/interrupts.c`: the engine, or a copy in which something is broken. */
export interface Tools {
  readonly build: typeof build
  readonly wasmMachine: typeof wasmMachine
  readonly explore: typeof explore
  readonly createStrategy: typeof createStrategy
  readonly parsePoints: typeof parsePoints
  readonly main: typeof main
  readonly environment: Readonly<Record<string, string>>
}

export const tools: Tools = {
  build,
  wasmMachine,
  explore,
  createStrategy,
  parsePoints,
  main,
  environment: {},
}

/** Scripts of `tests/c/interrupts.c`: two threads and a device, or two. */
export function randomScripts(seed: number): string[] {
  const random = new Random(seed)
  const pick = (from: string) => from[random.below(from.length)]
  const piece = (isThread: boolean): string => {
    switch (random.below(isThread ? 6 : 2)) {
      case 0:
        return pick('abAB')
      case 1:
        return `${pick('aA')}${pick('01')}`
      case 2:
        return `[${pick('abAB')}${pick('abAB')}]`
      case 3:
        return `[${pick('bzy')}y${pick('AB')}]`
      case 4:
        return `[[${pick('ab')}]${pick('AB')}]`
      default:
        return pick('aAz')
    }
  }
  const script = (isThread: boolean) =>
    Array.from({ length: 1 + random.below(2) }, () => piece(isThread)).join('')
  return [`t${script(true)}`, `t${script(true)}`, `${1 + random.below(2)}${script(false)}`]
}

export interface RunOptions {
  readonly program?: string
  readonly strategy?: string
  readonly points?: string
}

/** How all executions of a program of tests/c end: what it prints, or the kind and text of a bug. */
export async function endsOf(
  args: readonly string[],
  { program = 'interrupts', strategy = 'optimal', points = 'everywhere' }: RunOptions = {},
  { build, wasmMachine, explore, createStrategy, parsePoints, environment }: Tools = tools,
): Promise<Set<string>> {
  const artifact = await build({ sources: [`tests/c/${program}.c`], define: [], optimize: '0' })
  const machine = await wasmMachine(artifact, { args, environment, maxLoopVisits: 1000 })
  machine.usePoints(parsePoints(points))
  const ends = new Set<string>()
  explore({
    machine,
    strategy: createStrategy(strategy, { machine }),
    keepGoing: true,
    maxExecutions: 400_000,
    maxSteps: 5000,
    onExecution({ bug, status }) {
      if (status === 'blocked') return
      const end = status === 'cut' ? 'cut' : 'ok'
      ends.add(bug ? `${bug.kind}: ${bug.message}` : `${end} ${machine.output}`)
    },
  })
  return ends
}

/** The same, as the simulator tells it. */
export async function endsOfRun(
  scripts: readonly string[],
  options?: RunOptions,
  tools?: Tools,
): Promise<Set<string>> {
  const isStuck = (end: string) => /^(?:deadlock|livelock)/.test(end)
  const ends = await endsOf(scripts, options, tools)
  return new Set([...ends].map((end) => (isStuck(end) ? 'stuck' : end.replace(/^ok /, ''))))
}

/** What of a program is found to race. */
export async function racesOf(detector: string, scripts: readonly string[], { main }: Tools = tools) {
  const options = ['--races', detector, '--ignore-races', 'main', '--json', '--out', folderWith({})]
  const argv = ['check', 'tests/c/interrupts.c', ...options, '--', ...scripts]
  const { out } = await faultline(resolve('.'), argv, { command: main })
  return (JSON.parse(out) as { races: { object: string }[] }).races.map(({ object }) => object)
}

/** A thread comes between the end of a region and what follows, and only there can it see `a` and double `b` first. */
export const gap = { scripts: ['t[a]b', 'tyB'], points: 'unlock', end: '1 2 0' }

/** What must not be done without interrupts, and what is said of it. */
export const misuses: readonly (readonly [string, RegExp])[] = [
  ['t[w]', /has to wait \(semaphore wait\) with interrupts off/],
  ['t[l]', /waits in a loop with interrupts off/],
  ['t[e]', /is in a loop for too long with interrupts off/],
  ['t[s]', /sleeps with interrupts off/],
  // Interrupts are off again after a thread has blocked.
  ['t[zw] 10', /has to wait \(semaphore wait\) with interrupts off/],
  ['1w', /has to wait \(semaphore wait\) in an interrupt handler/],
  ['1s', /sleeps in an interrupt handler/],
  ['1z', /blocks in an interrupt handler/],
  ['1]', /enables interrupts in an interrupt handler/],
  ['1[', /returns from its handler in a region/],
  ['t]', /enables interrupts, which are on/],
  ['t[', /ends with interrupts off/],
]
