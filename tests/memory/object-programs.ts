import type { Program, Statement } from '../../src/frontends/model/program.js'
import type { Random } from '../../src/random/random.js'

/** Something that a thread does, at most once per thread. */
type Part = (random: Random, n: number) => Statement[]

const store = (random: Random, n: number): Statement => ({
  op: 'atomicStore',
  var: random.below(2) === 0 ? 'x' : 'y',
  value: n,
  order: random.below(2) === 0 ? 'relaxed' : 'release',
})
const load = (random: Random, n: number): Statement => ({
  op: 'atomicLoad',
  var: random.below(2) === 0 ? 'x' : 'y',
  into: `r${n}`,
  order: random.below(2) === 0 ? 'relaxed' : 'acquire',
})
const access = (random: Random, n: number): Statement => (random.below(2) === 0 ? store : load)(random, n)

const ifZero = (register: string, body: readonly Statement[]): Statement => ({
  op: 'if',
  condition: ['==', register, 0],
  // biome-ignore lint/suspicious/noThenProperty: it is what the statement is called in models
  then: body,
})

const parts: Readonly<Record<string, Part>> = {
  access: (random, n) => [access(random, n)],
  mutex: (random, n) => [{ op: 'lock', mutex: 'm' }, access(random, n), { op: 'unlock', mutex: 'm' }],
  try: (random, n) => [
    { op: 'trylock', mutex: 'm', into: `t${n}` },
    access(random, n),
    ifZero(`t${n}`, [{ op: 'unlock', mutex: 'm' }]),
  ],
  recursive: () => [
    { op: 'lock', mutex: 'n' },
    { op: 'lock', mutex: 'n' },
    { op: 'unlock', mutex: 'n' },
    { op: 'unlock', mutex: 'n' },
  ],
  post: () => [{ op: 'sempost', semaphore: 's' }],
  take: () => [{ op: 'semwait', semaphore: 's' }],
  tryTake: (_, n) => [{ op: 'semtrywait', semaphore: 's', into: `s${n}` }],
  read: (random, n) => [{ op: 'rdlock', rwlock: 'w' }, load(random, n), { op: 'rwunlock', rwlock: 'w' }],
  write: (random, n) => [{ op: 'wrlock', rwlock: 'w' }, store(random, n), { op: 'rwunlock', rwlock: 'w' }],
  tryWrite: (_, n) => [
    { op: 'trywrlock', rwlock: 'w', into: `w${n}` },
    ifZero(`w${n}`, [{ op: 'rwunlock', rwlock: 'w' }]),
  ],
  wait: (random, n) => [
    { op: 'lock', mutex: 'm' },
    { op: 'wait', condition: 'c', mutex: 'm' },
    load(random, n),
    { op: 'unlock', mutex: 'm' },
  ],
  signal: () => [{ op: 'signal', condition: 'c' }],
  broadcast: (random, n) => [
    { op: 'lock', mutex: 'm' },
    store(random, n),
    { op: 'broadcast', condition: 'c' },
    { op: 'unlock', mutex: 'm' },
  ],
  barrier: () => [{ op: 'barrier', barrier: 'b' }],
} as Readonly<Record<string, Part>>

/** What goes together: waiting on a condition and trying to lock its mutex do not. */
export const mixes: Readonly<Record<string, readonly (keyof typeof parts)[]>> = {
  mutexes: ['access', 'mutex', 'mutex', 'recursive'],
  'mutexes that are tried': ['access', 'mutex', 'try', 'try'],
  semaphores: ['access', 'post', 'post', 'take', 'tryTake'],
  'reader-writer locks': ['access', 'read', 'read', 'write', 'tryWrite'],
  conditions: ['access', 'wait', 'wait', 'signal', 'broadcast', 'mutex'],
  barriers: ['access', 'barrier', 'barrier', 'mutex'],
  all: ['access', 'mutex', 'post', 'take', 'read', 'write', 'wait', 'signal', 'broadcast', 'barrier'],
}

export function randomProgram(random: Random, mix: readonly (keyof typeof parts)[]): Program {
  const threads: Record<string, Statement[]> = {}
  let n = 0
  const count = 2 + random.below(2)
  for (let t = 0; t < count; t++) {
    const code: Statement[] = []
    for (let i = 0; i < 1 + random.below(4 - count + 1); i++) {
      code.push(...parts[mix[random.below(mix.length)]](random, ++n))
    }
    threads[`t${t}`] = code
  }
  return {
    variables: { x: 0, y: 0 },
    mutexes: { m: 'plain', n: 'recursive' },
    semaphores: { s: random.below(2) },
    rwlocks: ['w'],
    conditions: ['c'],
    barriers: { b: 2 },
    threads,
  } as Program
}

/** As tests/c/weak-scripts.c reads it: a semaphore's count, then a script per thread. */
export function scriptsOf({ semaphores, threads }: Program): string[] {
  return [`@${semaphores!.s}`, ...Object.values(threads).map((code) => code.map(encode).join(''))]
}

const letters: Readonly<Record<string, string>> = {
  atomicStore: 'W',
  atomicLoad: 'R',
  lock: 'L',
  unlock: 'U',
  trylock: 'T',
  sempost: 'p',
  semwait: 'q',
  semtrywait: 't',
  rdlock: 'r',
  wrlock: 'w',
  trywrlock: 'v',
  rwunlock: 'u',
  wait: 'c',
  signal: 's',
  broadcast: 'b',
  barrier: 'B',
}
const orders: Readonly<Record<string, string>> = { relaxed: 'r', acquire: 'a', release: 'l' }

/** The program has registers by number; those for results of tries come last. */
const numberOf = (register: string) => Number(register.slice(1)) + (register[0] === 'r' ? 0 : 10)

function encode(statement: Statement): string {
  const s = statement as unknown as Readonly<Record<string, unknown>>
  const letterOf = (register: unknown) => String.fromCharCode(97 + numberOf(String(register)))
  if (s.op === 'if') {
    const body = s.then as Statement[]
    const [last] = body
    const register = letterOf((s.condition as string[])[1])
    const given = `${last.op === 'unlock' ? 'D' : 'u'}0rr-${register}0000`
    return given
  }
  const at = s.var === 'y' || s.mutex === 'n' ? 1 : 0
  const value = typeof s.value === 'number' ? s.value : 0
  const into = s.into === undefined ? '-' : letterOf(s.into)
  return `${letters[String(s.op)]}${at}${orders[String(s.order)] ?? 'r'}r${into}-${String(value).padStart(2, '0')}00`
}

/** The final memory and registers of a model, as the C program prints them. */
export function outcomeOf(state: string): string {
  const parts: string[] = []
  for (const line of state.split('\n')) {
    const variable = /^([xy]) = (-?\d+)$/.exec(line)
    if (variable) parts.push(`${variable[1]}=${variable[2]}`)
    const thread = /^thread (\d+): [^;]*; (.*)$/.exec(line)
    for (const register of thread?.[2].split(' ') ?? []) {
      const [, kind, n, value] = /^(\w)(\d+)=(-?\d+)$/.exec(register) ?? []
      parts.push(`${thread![1]}:r${numberOf(kind + n)}=${kind === 'r' ? value : Number(value !== '0')}`)
    }
  }
  return parts.sort().join(' ')
}
