import type { MemoryOrder, Program, Statement } from '../../src/frontends/model/program.js'

/**
 * Small programs without branches, in a notation of one line per thread:
 *
 *     x=1.rel; r0=y.acq; fence.sc; r1=cas(x,0,1).ar/rlx; r2=xchg(x,2).sc; r3=add(x,1).rlx; lock m; unlock m
 *
 * Orders are na (not atomic), rlx, con, acq, rel, ar and sc. Names that begin with r are registers; `x=r0+1.rlx` stores
 * what a register holds and one more.
 */
export type OrderName = 'na' | 'rlx' | 'con' | 'acq' | 'rel' | 'ar' | 'sc'

export type Operand = { readonly register: string | null; readonly constant: number }

export type Instruction =
  | { readonly op: 'write'; readonly at: string; readonly value: Operand; readonly order: OrderName }
  | { readonly op: 'read'; readonly at: string; readonly into: string; readonly order: OrderName }
  | {
      readonly op: 'exchange' | 'add'
      readonly at: string
      readonly into: string
      readonly value: Operand
      readonly order: OrderName
    }
  | {
      readonly op: 'cas'
      readonly at: string
      readonly into: string
      readonly expected: number
      readonly value: Operand
      readonly order: OrderName
      readonly failure: OrderName
    }
  | { readonly op: 'fence'; readonly order: OrderName }
  | { readonly op: 'lock'; readonly at: string }
  | { readonly op: 'unlock'; readonly at: string }

export type Threads = readonly (readonly Instruction[])[]

export function parseThreads(threads: readonly string[]): Threads {
  return threads.map((text) =>
    text
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(parseInstruction),
  )
}

function parseInstruction(text: string): Instruction {
  const lock = /^(lock|unlock) (\w+)$/.exec(text)
  if (lock) return { op: lock[1] as 'lock', at: lock[2] }
  const fence = /^fence\.(\w+)$/.exec(text)
  if (fence) return { op: 'fence', order: fence[1] as OrderName }
  const cas = /^(r\w*)=cas\((\w+),(-?\d+),([^)]+)\)\.(\w+)\/(\w+)$/.exec(text)
  if (cas) {
    const [, into, at, expected, value, order, failure] = cas
    return {
      op: 'cas',
      into,
      at,
      expected: Number(expected),
      value: operand(value),
      order: order as OrderName,
      failure: failure as OrderName,
    }
  }
  const update = /^(r\w*)=(xchg|add)\((\w+),([^)]+)\)\.(\w+)$/.exec(text)
  if (update) {
    const [, into, name, at, value, order] = update
    return {
      op: name === 'add' ? 'add' : 'exchange',
      into,
      at,
      value: operand(value),
      order: order as OrderName,
    }
  }
  const read = /^(r\w*)=([a-q,s-z]\w*)\.(\w+)$/.exec(text)
  if (read) return { op: 'read', into: read[1], at: read[2], order: read[3] as OrderName }
  const write = /^([a-q,s-z]\w*)=([^.]+)\.(\w+)$/.exec(text)
  if (write) return { op: 'write', at: write[1], value: operand(write[2]), order: write[3] as OrderName }
  throw new Error(`cannot read "${text}"`)
}

function operand(text: string): Operand {
  const [, register, constant] = /^(?:(r\w*)\+)?(-?\d+)$/.exec(text) ?? []
  if (constant === undefined) throw new Error(`cannot read the operand "${text}"`)
  return { register: register ?? null, constant: Number(constant) }
}

const names: Readonly<Record<OrderName, MemoryOrder | undefined>> = {
  na: undefined,
  rlx: 'relaxed',
  con: 'consume',
  acq: 'acquire',
  rel: 'release',
  ar: 'acq_rel',
  sc: 'seq_cst',
}

/** The same as a model program: threads t0, t1, … */
export function toProgram(threads: Threads): Program {
  const all = threads.flat()
  const isLock = (i: Instruction) => i.op === 'lock' || i.op === 'unlock'
  const at = (wanted: boolean) => [
    ...new Set(all.flatMap((i) => ('at' in i && isLock(i) === wanted ? [i.at] : []))),
  ]
  return {
    variables: Object.fromEntries(at(false).map((name) => [name, 0])),
    mutexes: Object.fromEntries(at(true).map((name) => [name, 'plain' as const])),
    threads: Object.fromEntries(threads.map((code, i) => [`t${i}`, code.map(toStatement)])),
  } as Program
}

function toStatement(i: Instruction): Statement {
  const value = (o: Operand) => (o.register === null ? o.constant : ['+', o.register, o.constant])
  const made = (): object => {
    switch (i.op) {
      case 'lock':
      case 'unlock':
        return { op: i.op, mutex: i.at }
      case 'fence':
        return { op: 'fence', order: names[i.order] }
      case 'read':
        return i.order === 'na'
          ? { op: 'load', var: i.at, into: i.into }
          : { op: 'atomicLoad', var: i.at, into: i.into, order: names[i.order] }
      case 'write':
        return i.order === 'na'
          ? { op: 'store', var: i.at, value: value(i.value) }
          : { op: 'atomicStore', var: i.at, value: value(i.value), order: names[i.order] }
      case 'exchange':
      case 'add':
        return {
          op: i.op === 'add' ? 'fetchAdd' : 'exchange',
          var: i.at,
          value: value(i.value),
          into: i.into,
          order: names[i.order],
        }
      case 'cas':
        return {
          op: 'compareExchange',
          var: i.at,
          expected: i.expected,
          desired: value(i.value),
          into: i.into,
          order: names[i.order],
          failure: names[i.failure],
        }
    }
  }
  return made() as Statement
}
