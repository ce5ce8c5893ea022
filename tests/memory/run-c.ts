import { explore } from '../../src/execution/explore.js'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import type { MemoryModel } from '../../src/machine/platform.js'
import { createStrategy } from '../../src/strategies/index.js'
import type { Instruction, Operand, OrderName, Threads } from './litmus-text.js'
import type { Explored } from './run-model.js'

const locations = ['x', 'y', 'z']
const mutexes = ['m', 'n']
const orders: Readonly<Record<OrderName, string>> = {
  na: 'n',
  rlx: 'r',
  con: 'c',
  acq: 'a',
  rel: 'l',
  ar: 'b',
  sc: 's',
}
const letters: Readonly<Record<Instruction['op'], string>> = {
  read: 'R',
  write: 'W',
  exchange: 'X',
  add: 'A',
  cas: 'C',
  fence: 'F',
  lock: 'L',
  unlock: 'U',
}

/** Whether tests/c/weak-scripts.c has all that a program uses. */
export function isScript(threads: Threads): boolean {
  return threads.every((code) =>
    code.every((i) => !('at' in i) || locations.includes(i.at) || mutexes.includes(i.at)),
  )
}

/** An instruction as tests/c/weak-scripts.c reads it. */
function encode(i: Instruction): string {
  const register = (name: string) => String.fromCharCode(97 + Number(name.slice(1) || 0))
  const digits = (n: number) => String(n).padStart(2, '0')
  const isLock = i.op === 'lock' || i.op === 'unlock'
  const value: Operand = 'value' in i ? i.value : { register: null, constant: 0 }
  return [
    letters[i.op],
    'at' in i ? (isLock ? mutexes : locations).indexOf(i.at) : 0,
    'order' in i ? orders[i.order] : 'r',
    'failure' in i ? orders[i.failure] : 'r',
    'into' in i ? register(i.into) : '-',
    value.register === null ? '-' : register(value.register),
    digits(value.constant),
    digits('expected' in i ? i.expected : 0),
  ].join('')
}

/** A program as arguments of it. */
export function scriptsOf(threads: Threads): string[] {
  return threads.map((code) => code.map(encode).join(''))
}

let artifact: Promise<Artifact> | undefined

/** Explores a program without branches, in C; outcomes read as those of the enumerator. */
export function exploreC(
  threads: Threads,
  memoryModel: MemoryModel,
  strategy = 'graphs',
  maxExecutions = Infinity,
): Promise<Explored> {
  const used = new Set(threads.flat().flatMap((i) => ('at' in i ? [i.at] : [])))
  return exploreScripts(scriptsOf(threads), memoryModel, strategy, used, maxExecutions)
}

/** The same of scripts as tests/c/weak-scripts.c reads them. */
export async function exploreScripts(
  args: readonly string[],
  memoryModel: MemoryModel,
  strategy = 'graphs',
  used: ReadonlySet<string> = new Set(['x', 'y']),
  maxExecutions = Infinity,
): Promise<Explored> {
  artifact ??= build({ sources: ['tests/c/weak-scripts.c'] })
  const machine = await wasmMachine(await artifact, { args, platform: { memoryModel } })
  const outcomes = new Set<string>()
  let isRacy = false
  const { executions, blocked } = explore({
    machine,
    strategy: createStrategy(strategy, { machine }),
    keepGoing: true,
    maxExecutions,
    onExecution: ({ bug, status }) => {
      if (status === 'blocked') return
      if (bug === null) outcomes.add(outcomeOf(machine.output, used))
      else if (bug.kind === 'data-race') isRacy = true
      else if (bug.kind !== 'deadlock') throw new Error(bug.message)
    },
  })
  return { outcomes, executions, blocked, isRacy }
}

function outcomeOf(output: string, used: ReadonlySet<string>): string {
  return output
    .trim()
    .split(' ')
    .filter((part) => part.includes(':') || used.has(part[0]))
    .sort()
    .join(' ')
}
