/** An operand in AT&T syntax. */
export type Operand =
  | { readonly kind: 'register'; readonly name: string; readonly isIndirect: boolean }
  /** `$value`: text that is an expression in C, too. */
  | { readonly kind: 'value'; readonly text: string }
  /** A label, as the target of a jump or a call. */
  | { readonly kind: 'symbol'; readonly name: string }
  | {
      readonly kind: 'memory'
      readonly offset: string
      readonly base?: string
      readonly index?: string
      readonly scale: string
      readonly isIndirect: boolean
    }

export type Item =
  | { readonly kind: 'label'; readonly name: string; readonly line: number }
  | {
      readonly kind: 'instruction'
      readonly name: string
      readonly operands: readonly Operand[]
      readonly line: number
      readonly text: string
    }
  /** For the preprocessor, which assembly and C share. */
  | { readonly kind: 'preprocessor'; readonly text: string; readonly line: number }

export interface Assembly {
  readonly items: readonly Item[]
  /** What other files can call. */
  readonly exported: readonly string[]
}

export class NotUnderstood extends Error {
  constructor(
    readonly line: number,
    text: string,
  ) {
    super(`${text.trim()} is not understood`)
  }
}

const directives = /^\s*#\s*(?:include|define|undef|if|ifdef|ifndef|elif|else|endif)\b/
/** What says nothing about what happens. */
const ignored = /^\.(?:text|section|align|p2align|balign|type|size|file|ident|code32|extern)\b/

/** Assembly for x86 as students write it: functions, without data or macros of the assembler. */
export function parseAssembly(text: string): Assembly {
  const items: Item[] = []
  const exported: string[] = []
  for (const [i, whole] of withoutComments(text).split('\n').entries()) {
    const line = i + 1
    if (directives.test(whole)) {
      items.push({ kind: 'preprocessor', text: whole.trim(), line })
      continue
    }
    for (const statement of whole.replace(/#.*/, '').split(';')) {
      let rest = statement.trim()
      for (;;) {
        const label = /^([\w.$]+)\s*:/.exec(rest)
        if (label === null) break
        items.push({ kind: 'label', name: label[1], line })
        rest = rest.slice(label[0].length).trim()
      }
      if (rest === '') continue
      const global = /^\.glob[a]?l\s+(.*)/.exec(rest)
      if (global !== null) exported.push(...global[1].split(',').map((name) => name.trim()))
      else if (!ignored.test(rest)) items.push(instruction(rest, line))
    }
  }
  return { items, exported }
}

function instruction(text: string, line: number): Item {
  const [, name, rest] = /^(\S+)\s*(.*)$/.exec(text) as RegExpExecArray
  const lower = name.toLowerCase()
  // A prefix says nothing: what has it is atomic here anyway, and whatever is not must not be.
  if (lower === 'lock' || lower === 'rep') {
    if (rest === '') return { kind: 'instruction', name: lower, operands: [], line, text }
    const locked = instruction(rest, line) as Item & { kind: 'instruction' }
    return { ...locked, name: `${lower} ${locked.name}` }
  }
  if (!/^[a-z]\w*$/.test(lower)) throw new NotUnderstood(line, text)
  const operands = splitAtCommas(rest).map((operand) => parseOperand(operand, text, line))
  return { kind: 'instruction', name: lower, operands, line, text }
}

function parseOperand(text: string, whole: string, line: number): Operand {
  const isIndirect = text.startsWith('*')
  const operand = isIndirect ? text.slice(1).trim() : text
  if (operand.startsWith('$')) return { kind: 'value', text: operand.slice(1).trim() }
  const register = /^%(\w+)$/.exec(operand)
  if (register !== null) return { kind: 'register', name: register[1].toLowerCase(), isIndirect }
  const memory = /^([^()%]*|\([^()%]*\))\(\s*(?:%(\w+))?\s*(?:,\s*%(\w+)\s*(?:,\s*(\d))?)?\s*\)$/.exec(
    operand,
  )
  if (memory !== null) {
    const [, offset, base, index, scale] = memory
    return {
      kind: 'memory',
      offset: offset.trim() || '0',
      base: base?.toLowerCase(),
      index: index?.toLowerCase(),
      scale: scale ?? '1',
      isIndirect,
    }
  }
  if (/^[\w.$]+$/.test(operand)) {
    return isIndirect
      ? { kind: 'memory', offset: operand, scale: '1', isIndirect }
      : { kind: 'symbol', name: operand }
  }
  throw new NotUnderstood(line, whole)
}

/** At those outside of parentheses. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === '(') depth++
    if (text[i] === ')') depth--
    if (i === text.length || (text[i] === ',' && depth === 0)) {
      parts.push(text.slice(from, i).trim())
      from = i + 1
    }
  }
  return parts.filter((part) => part !== '')
}

/** Lines stay where they are. */
export function withoutComments(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' '))
    .replace(/\/\/.*/g, '')
}
