/**
 * Atomic instructions of x86 as old headers write them: `lock; cmpxchgl %2,%1` and its kin, with operands. They become the
 * compiler's own atomics, of the type that the operand in memory has, on as many lines. The counter of cycles is a clock.
 */
interface Operand {
  readonly name: string | undefined
  readonly constraint: string
  readonly value: string
}

const STATEMENT = /\b(?:__asm__|__asm|asm)\s*(?:(?:__volatile__|__volatile|volatile)\s*)?\(/g

export function withoutLockedAssembly(text: string): string {
  let result = ''
  let copied = 0
  for (const { index, 0: head } of text.matchAll(STATEMENT)) {
    const start = index + head.length
    const end = closing(text, start)
    if (index < copied || end < 0) continue
    const code = translated(text.slice(start, end))
    if (code === undefined) continue
    const lines = text.slice(index, end).match(/\\?\n/g) ?? []
    result += text.slice(copied, index) + code + lines.join('')
    copied = end + 1
  }
  return copied === 0 ? text : result + text.slice(copied)
}

/** Where the parenthesis that was opened before `from` is closed; -1 if nowhere. */
function closing(text: string, from: number): number {
  let depth = 1
  for (let i = from; i < text.length; i++) {
    const c = text[i]
    if (c === '"') i = endOfString(text, i)
    else if (c === '(') depth++
    else if (c === ')' && --depth === 0) return i
    else if (c === ';' && depth === 1) return -1
  }
  return -1
}

function endOfString(text: string, from: number): number {
  let i = from + 1
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i
}

/** Parts between separators that are in no parentheses and no string. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (c === '"') i = endOfString(text, i)
    else if (c === '(' || c === '[') depth++
    else if (c === ')' || c === ']') depth--
    else if (c === separator && depth === 0) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  return [...parts, text.slice(start)]
}

function operands(text: string | undefined): Operand[] | undefined {
  if (text === undefined || text.trim() === '') return []
  const found = split(text, ',').map((part): Operand | undefined => {
    const match = /^\s*(?:\[(\w+)\]\s*)?"([^"]*)"\s*\(([\s\S]*)\)\s*$/.exec(part)
    return match ? { name: match[1], constraint: match[2], value: match[3].trim() } : undefined
  })
  return found.includes(undefined) ? undefined : (found as Operand[])
}

function translated(inside: string): string | undefined {
  const text = inside.replace(/\\\n/g, ' ')
  const [head, outputText, inputText] = split(text, ':')
  const strings = [...head.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, content]) => content)
  const outputs = operands(outputText)
  const inputs = operands(inputText)
  if (strings.length === 0 || outputs === undefined || inputs === undefined) return undefined
  const instructions = strings
    .join('')
    .split(/\\n|\\t|;|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return ticksToCode(instructions, outputs) ?? instructionsToCode(instructions, outputs, inputs)
}

/** The counter of cycles, read into two registers or into both as one; what waits for memory before it makes no difference. */
function ticksToCode(instructions: readonly string[], outputs: readonly Operand[]): string | undefined {
  const [read, ...others] = instructions.filter((line) => !/^[lm]fence$/.test(line))
  if (others.length > 0 || !/^rdtscp?$/.test(read ?? '')) return undefined
  const parts: Readonly<Record<string, string>> = { a: '', d: ' >> 32', A: '', c: ' & 0' }
  const assignments = outputs.map(({ constraint, value }) => {
    const part = parts[constraint.replace(/[=&]/g, '')]
    return part === undefined ? undefined : `(${value}) = (__typeof__(${value}))(faultline_now${part});`
  })
  if (assignments.includes(undefined)) return undefined
  const declaration = 'unsigned long long faultline_ticks(void) __asm__("fl_ticks");'
  return `({ ${declaration} unsigned long long faultline_now = faultline_ticks(); ${assignments.join(' ')} })`
}

/** What each instruction makes of the value in memory, given the other operand. */
const UPDATES: Readonly<Record<string, string>> = {
  add: '__atomic_fetch_add',
  sub: '__atomic_fetch_sub',
  or: '__atomic_fetch_or',
  and: '__atomic_fetch_and',
  xor: '__atomic_fetch_xor',
  xadd: '__atomic_fetch_add',
  xchg: '__atomic_exchange_n',
  inc: '__atomic_fetch_add',
  dec: '__atomic_fetch_sub',
}
const ORDER = '__ATOMIC_SEQ_CST'

function instructionsToCode(
  written: readonly string[],
  outputs: readonly Operand[],
  inputs: readonly Operand[],
): string | undefined {
  const lines = written.filter((line) => line !== 'lock').map((line) => line.replace(/^lock\s+/, ''))
  const isLocked = written.some((line) => /^lock\b/.test(line))
  const all = [...outputs, ...inputs]
  const find = (reference: string): Operand | undefined => {
    const match = /^%[a-z]?(?:(\d+)|\[(\w+)\])$/.exec(reference)
    if (!match) return undefined
    return match[1] === undefined ? all.find(({ name }) => name === match[2]) : all[Number(match[1])]
  }
  const [first, second] = lines
  const match = /^(cmpxchg|xchg|xadd|add|sub|or|and|xor|inc|dec)[bwlq]?\s+(\S+?)\s*(?:,\s*(\S+))?$/.exec(
    first ?? '',
  )
  if (!match || lines.length > 2 || (!isLocked && match[1] !== 'xchg')) return undefined
  const [, verb] = match
  const given = [match[2], match[3]].filter((text) => text !== undefined).map(find)
  const memory = given.find((operand) => operand?.constraint.includes('m'))
  const other = given.find((operand) => operand !== memory)
  if (!memory || given.includes(undefined)) {
    // A number in the instruction itself.
    if (!memory || given.length !== 2 || !/^\$\d+$/.test(match[2])) return undefined
  }
  const isSingle = verb === 'inc' || verb === 'dec'
  if (isSingle !== (match[3] === undefined)) return undefined
  const constant = /^\$(\d+)$/.exec(match[2])?.[1]
  const value = isSingle ? '1' : (constant ?? other?.value)
  if (value === undefined) return undefined
  const type = `__typeof__(${memory.value})`
  const address = `(volatile ${type} *)&(${memory.value})`
  // A register that is also an input holds what the input says.
  const inputOf = (operand: Operand): string =>
    inputs.find(({ constraint }) => constraint === String(outputs.indexOf(operand)))?.value ?? operand.value
  const assign = (to: Operand, what: string) => `(${to.value}) = (__typeof__(${to.value}))(${what});`

  const found = 'faultline_found'
  let operation: string
  let results = ''
  let isZero: string
  if (verb === 'cmpxchg') {
    const accumulator = outputs.find(({ constraint }) => /a/.test(constraint))
    const old =
      inputs.find(({ constraint }) => constraint === 'a')?.value ?? (accumulator && inputOf(accumulator))
    if (!old) return undefined
    operation = `${type} faultline_old = (${type})(${old}); ${type} ${found} = __sync_val_compare_and_swap(${address}, faultline_old, (${type})(${value}));`
    if (accumulator) results = assign(accumulator, found)
    isZero = `${found} == faultline_old`
  } else {
    const given = other && outputs.includes(other) ? inputOf(other) : value
    operation = `${type} faultline_value = (${type})(${given}); ${type} ${found} = ${UPDATES[verb]}(${address}, faultline_value, ${ORDER});`
    if (other && outputs.includes(other) && (verb === 'xchg' || verb === 'xadd'))
      results = assign(other, found)
    const plus = verb === 'add' || verb === 'inc' || verb === 'xadd'
    isZero = `(${type})(${found} ${plus ? '+' : '-'} faultline_value) == 0`
    if (second !== undefined && !/^(?:add|inc|sub|dec|xadd)$/.test(verb)) return undefined
  }
  if (second !== undefined) {
    const flag = /^set(?:e|z)\s+(\S+)$/.exec(second)
    const to = flag?.[1] === undefined ? undefined : find(flag[1])
    if (!to) return undefined
    results += ` ${assign(to, isZero)}`
  }
  return `({ ${operation} ${results} (void)${found}; })`
}
