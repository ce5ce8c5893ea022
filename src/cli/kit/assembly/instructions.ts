import { NotUnderstood, type Operand } from './parse.js'

/** What the translation of an instruction needs to know of its surroundings. */
export interface Place {
  readonly line: number
  readonly text: string
  /** The expression in C for text with names of labels and functions in it. */
  readonly value: (text: string) => string
  /** The address of a variable. */
  readonly variable: (name: string) => string
}

const byteRegisters: Readonly<Record<string, string>> = { al: 'eax', bl: 'ebx', cl: 'ecx', dl: 'edx' }
const registers = new Set(['eax', 'ebx', 'ecx', 'edx', 'esi', 'edi', 'ebp', 'esp'])

/** By the end of a jump's name: what it asks of `left` and `right`, which were compared last. */
const conditions: Readonly<Record<string, string>> = {
  e: 'left == right',
  z: 'left == right',
  ne: 'left != right',
  nz: 'left != right',
  l: 'left < right',
  nge: 'left < right',
  le: 'left <= right',
  ng: 'left <= right',
  g: 'left > right',
  nle: 'left > right',
  ge: 'left >= right',
  nl: 'left >= right',
  b: '(unsigned)left < (unsigned)right',
  c: '(unsigned)left < (unsigned)right',
  nae: '(unsigned)left < (unsigned)right',
  be: '(unsigned)left <= (unsigned)right',
  na: '(unsigned)left <= (unsigned)right',
  a: '(unsigned)left > (unsigned)right',
  nbe: '(unsigned)left > (unsigned)right',
  ae: '(unsigned)left >= (unsigned)right',
  nc: '(unsigned)left >= (unsigned)right',
  nb: '(unsigned)left >= (unsigned)right',
  s: 'left - right < 0',
  ns: 'left - right >= 0',
}

export function conditionOf(name: string, prefix: string): string | undefined {
  return name.startsWith(prefix) ? conditions[name.slice(prefix.length)] : undefined
}

const operators: Readonly<Record<string, readonly [symbol: string, atomic: string]>> = {
  add: ['+', 'add'],
  sub: ['-', 'sub'],
  and: ['&', 'and'],
  or: ['|', 'or'],
  xor: ['^', 'xor'],
}
const shifts: Readonly<Record<string, string>> = {
  shl: '(int)((unsigned)(D) << (S))',
  sal: '(int)((unsigned)(D) << (S))',
  shr: '(int)((unsigned)(D) >> (S))',
  sar: '(D) >> (S)',
}

/**
 * An instruction that does not jump, in C. Registers are variables. There is one processor, so that an instruction is atomic
 * with or without `lock`.
 */
export function statementFor(name: string, operands: readonly Operand[], place: Place): string {
  const plain = name.replace(/^lock /, '')
  const isByte =
    operands.some((operand) => operand.kind === 'register' && operand.name in byteRegisters) ||
    (/^(?:mov|xchg|cmp|test|or|and|xor)b$/.test(plain) && operands.length > 0)
  const type = isByte ? 'unsigned char' : 'int'
  const read = (operand: Operand) => readOf(operand, type, place)
  const write = (operand: Operand, value: string) => writeOf(operand, value, type, place)
  const fail = () => new NotUnderstood(place.line, place.text)
  const set = conditionOf(plain, 'set')
  if (set !== undefined) return writeOf(only(operands, fail), `(${set})`, 'unsigned char', place)
  const base = Object.keys(simple).find(
    (known) => plain === known || plain === `${known}l` || plain === `${known}b`,
  )
  if (base === undefined) throw fail()
  return simple[base]({ base, operands, type, place, read, write, fail })
}

interface Parts {
  readonly base: string
  readonly operands: readonly Operand[]
  readonly type: string
  readonly place: Place
  readonly read: (operand: Operand) => string
  readonly write: (operand: Operand, value: string) => string
  readonly fail: () => Error
}

const simple: Readonly<Record<string, (parts: Parts) => string>> = {
  mov: (p) => p.write(second(p), p.read(first(p))),
  movzb: (p) => p.write(second(p), readOf(first(p), 'unsigned char', p.place)),
  lea: (p) => {
    const from = first(p)
    if (from.kind !== 'memory') throw p.fail()
    return p.write(second(p), addressOf(from, p.place))
  },
  push: (p) => `push(${p.read(first(p))});`,
  pop: (p) => p.write(first(p), 'pop()'),
  pusha: () =>
    '{ int before = esp; push(eax); push(ecx); push(edx); push(ebx); push(before); push(ebp); push(esi); push(edi); }',
  popa: () =>
    'edi = pop(); esi = pop(); ebp = pop(); pop(); ebx = pop(); edx = pop(); ecx = pop(); eax = pop();',
  leave: () => 'esp = ebp; ebp = pop();',
  nop: () => ';',
  pause: () => ';',
  lock: () => ';',
  cld: () => ';',
  cmp: (p) => `right = ${p.read(first(p))}; left = ${p.read(second(p))};`,
  test: (p) => `left = ${p.read(first(p))} & ${p.read(second(p))}; right = 0;`,
  add: updated,
  and: updated,
  or: updated,
  xor: updated,
  sub: updated,
  inc: (p) => update(p, first(p), '1', 'add'),
  dec: (p) => update(p, first(p), '1', 'sub'),
  neg: (p) => `left = -${p.read(first(p))}; right = 0; ${p.write(first(p), 'left')}`,
  not: (p) => p.write(first(p), `~${p.read(first(p))}`),
  shl: shifted,
  sal: shifted,
  shr: shifted,
  sar: shifted,
  xchg: (p) => {
    const [one, other] = [first(p), second(p)]
    const memory = one.kind === 'memory' || one.kind === 'symbol' ? one : other
    const register = memory === one ? other : one
    if (!isMemory(memory))
      return `{ int kept = ${p.read(one)}; ${p.write(one, p.read(other))} ${p.write(other, 'kept')} }`
    const old = `__atomic_exchange_n((${p.type} *)(${addressOf(memory, p.place)}), ${p.read(register)}, __ATOMIC_SEQ_CST)`
    return p.write(register, old)
  },
  xadd: (p) => {
    const old = `__atomic_fetch_add((int *)(${addressOf(inMemory(second(p), p), p.place)}), ${p.read(first(p))}, __ATOMIC_SEQ_CST)`
    return p.write(first(p), old)
  },
  cmpxchg: (p) =>
    `left = right = eax; __atomic_compare_exchange_n((int *)(${addressOf(inMemory(second(p), p), p.place)}), &right, ${p.read(first(p))}, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); eax = right;`,
}

function updated(p: Parts): string {
  return update(p, second(p), p.read(first(p)), p.base)
}

function update(p: Parts, target: Operand, amount: string, base: string): string {
  const [symbol, atomic] = operators[base]
  if (isMemory(target) && !isOnStack(target)) {
    const old = `__atomic_fetch_${atomic}((${p.type} *)(${addressOf(target, p.place)}), ${amount}, __ATOMIC_SEQ_CST)`
    return base === 'sub'
      ? `right = ${amount}; left = ${old};`
      : `left = ${old} ${symbol} ${amount}; right = 0;`
  }
  if (base === 'sub') return `right = ${amount}; left = ${p.read(target)}; ${p.write(target, 'left - right')}`
  return `left = ${p.read(target)} ${symbol} ${amount}; right = 0; ${p.write(target, 'left')}`
}

function shifted(p: Parts): string {
  const [amount, target] = p.operands.length === 1 ? [undefined, first(p)] : [first(p), second(p)]
  const by = amount === undefined ? '1' : p.read(amount)
  const value = shifts[p.base].replace('S', by).replace('D', p.read(target))
  return `left = ${value}; right = 0; ${p.write(target, 'left')}`
}

function first({ operands, fail }: Parts): Operand {
  if (operands.length < 1) throw fail()
  return operands[0]
}

function second({ operands, fail }: Parts): Operand {
  if (operands.length !== 2) throw fail()
  return operands[1]
}

function only(operands: readonly Operand[], fail: () => Error): Operand {
  if (operands.length !== 1) throw fail()
  return operands[0]
}

function inMemory(operand: Operand, { fail }: Parts): Operand {
  if (!isMemory(operand)) throw fail()
  return operand
}

const isMemory = (operand: Operand) => operand.kind === 'memory' || operand.kind === 'symbol'

/** What lies above the stack pointer or the frame pointer belongs to the thread alone. */
const isOnStack = (operand: Operand) =>
  operand.kind === 'memory' && (operand.base === 'esp' || operand.base === 'ebp')

export function addressOf(operand: Operand, place: Place): string {
  if (operand.kind === 'symbol') return place.variable(operand.name)
  if (operand.kind !== 'memory') throw new NotUnderstood(place.line, place.text)
  const parts = [place.value(operand.offset)]
  if (operand.base !== undefined) parts.push(registerOf(operand.base, place))
  if (operand.index !== undefined) parts.push(`${registerOf(operand.index, place)} * ${operand.scale}`)
  return parts.join(' + ')
}

export function readOf(operand: Operand, type: string, place: Place): string {
  if (operand.kind === 'value') return `(${place.value(operand.text)})`
  if (operand.kind === 'register') {
    const whole = byteRegisters[operand.name]
    return whole === undefined ? registerOf(operand.name, place) : `(unsigned char)${whole}`
  }
  const address = addressOf(operand, place)
  if (isOnStack(operand) && type === 'int') return `faultline_stack_get(${address})`
  return `*(${type} *)(${address})`
}

function writeOf(operand: Operand, value: string, type: string, place: Place): string {
  if (operand.kind === 'register') {
    const whole = byteRegisters[operand.name]
    if (whole === undefined) return `${registerOf(operand.name, place)} = ${value};`
    return `${whole} = (${whole} & ~0xff) | ((${value}) & 0xff);`
  }
  if (!isMemory(operand)) throw new NotUnderstood(place.line, place.text)
  const address = addressOf(operand, place)
  if (isOnStack(operand) && type === 'int') return `faultline_stack_put(${address}, ${value});`
  return `*(${type} *)(${address}) = ${value};`
}

function registerOf(name: string, place: Place): string {
  if (!registers.has(name)) throw new NotUnderstood(place.line, place.text)
  return name
}
