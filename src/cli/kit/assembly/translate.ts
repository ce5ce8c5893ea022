import { conditionOf, type Place, readOf, statementFor } from './instructions.js'
import { type Item, NotUnderstood, type Operand, parseAssembly } from './parse.js'
import type { Prototype } from './prototypes.js'

type Instruction = Item & { readonly kind: 'instruction' }

/** What is known of the C around a file in assembly. */
export interface Surroundings {
  readonly prototypes: ReadonlyMap<string, Prototype>
  /** Functions in C that assembly may be given the address of, unless they take one word and return one. */
  readonly addresses: readonly string[]
  /** Functions that are there in C already. */
  readonly provided: ReadonlySet<string>
}

/** A function of which nothing is known takes a word and returns one, as the functions of threads do. */
const unknown: Prototype = { parameters: 1, isVariadic: false, returns: true, isStatic: false }

/**
 * A file in assembly as C that does the same, on a processor that is a few variables and with the stack that the program
 * gives it. `faultline_assembly.h`, which comes with the kit, has what it rests on. Each instruction is a case of one switch,
 * so that an address in the file is a number.
 */
export function translateAssembly(text: string, file: string, surroundings: Surroundings): string {
  const { items, exported } = parseAssembly(text)
  const first = items.findIndex(({ kind }) => kind !== 'preprocessor')
  const labels = new Map<string, number>()
  let count = 0
  const at: number[] = []
  for (const [i, item] of items.entries()) {
    at[i] = count
    if (item.kind === 'label' && !/^\d+$/.test(item.name)) labels.set(item.name, count)
    if (item.kind === 'instruction') count++
  }
  const entries = exported.filter((name) => labels.has(name) && !surroundings.provided.has(name))
  const called = new Set<string>(surroundings.addresses)
  const variables = new Set<string>()
  const body: string[] = []
  for (const [i, item] of items.entries()) {
    if (i < first || item.kind === 'label') continue
    if (item.kind === 'preprocessor') {
      body.push(item.text)
      continue
    }
    const { line } = item
    body.push(`    case ${at[i]}:`, `#line ${line} ${JSON.stringify(file)}`)
    const place: Place = {
      line,
      text: item.text,
      value: (expression) =>
        expression.replace(/[A-Za-z_.][\w.]*/g, (name) => {
          if (entries.includes(name)) return `(int)${name}`
          const label = labels.get(name)
          if (label !== undefined) return `FAULTLINE_CODE(${label})`
          if (!surroundings.prototypes.has(name)) return name
          called.add(name)
          return `(int)${name}`
        }),
      variable: (name) => {
        if (/^\d/.test(name)) return name
        variables.add(name)
        return `(int)${name}`
      },
    }
    const labelOf = (name: string) => numbered(items, at, i, name) ?? labels.get(name)
    body.push(`      ${statement(item, place, labelOf, at[i] + 1, called)}`)
  }
  const prototype = (name: string) => surroundings.prototypes.get(name) ?? unknown
  const others = [...called].filter((name) => !entries.includes(name) && !prototype(name).isStatic)
  const all = [...entries, ...others]
  return [
    ...items.slice(0, first).map((item) => (item.kind === 'preprocessor' ? item.text : '')),
    '#include <faultline_assembly.h>',
    ...all.map((name) => `${declarationOf(name, prototype(name))};`),
    ...[...variables].map((name) => `extern char ${name}[];`),
    'static int run(int at, const struct faultline_registers *start) {',
    '  int eax = start->eax, ebx = start->ebx, ecx = start->ecx, edx = start->edx;',
    '  int esi = start->esi, edi = start->edi, ebp = start->ebp, esp = start->esp;',
    '  int left = 0, right = 0, address = 0, frame = 0;',
    '  for (;;) {',
    '    switch (at) {',
    ...body,
    '    default: FAULTLINE_BAD_ADDRESS(at);',
    '    }',
    '  go:',
    '    if (address == FAULTLINE_RETURN) { if (start->is_child) FAULTLINE_RETURNS_TWICE(); return eax; }',
    '    if (FAULTLINE_IS_CODE(address)) { at = address & 0xffff; continue; }',
    '    const struct faultline_entry *entry = faultline_entry_at(address);',
    '    if (entry) {',
    '      struct faultline_registers now = {eax, ebx, ecx, edx, esi, edi, ebp, esp, start->is_child};',
    '      return entry->run(entry->label, &now);',
    '    }',
    '    frame = faultline_enter_c(esp, ebp);',
    ...others.map((name) => `    if (address == (int)${name}) ${callOf(name, prototype(name))} else`),
    '    eax = ((int (*)(int))address)(faultline_stack_get(esp + 4));',
    '    faultline_leave_c(frame);',
    '    address = pop();',
    '    goto go;',
    '  }',
    '}',
    ...entries.map((name) => entryOf(name, prototype(name), labels.get(name) as number)),
    '__attribute__((constructor)) static void announce(void) {',
    ...entries.map((name) => `  faultline_announce((int)${name}, run, ${labels.get(name)});`),
    '}',
    '',
  ].join('\n')
}

function statement(
  { name, operands, line, text }: Instruction,
  place: Place,
  labelOf: (name: string) => number | undefined,
  next: number,
  called: Set<string>,
): string {
  const plain = name.replace(/^(?:lock|rep) /, '')
  const target = () => {
    const [operand] = operands
    if (operands.length !== 1) throw new NotUnderstood(line, text)
    return operand
  }
  const jump = (operand: Operand) => {
    if (operand.kind !== 'symbol') return `address = ${readOf(operand, 'int', place)}; goto go;`
    const label = labelOf(operand.name)
    if (label !== undefined) return `at = ${label}; continue;`
    called.add(operand.name)
    return `address = (int)${operand.name}; goto go;`
  }
  const condition = conditionOf(plain, 'j')
  if (condition !== undefined) return `if (${condition}) { ${jump(target())} }`
  switch (plain) {
    case 'jmp':
      return jump(target())
    case 'call':
    case 'calll':
      return `push(FAULTLINE_CODE(${next})); ${jump(target())}`
    case 'ret':
    case 'retl':
      return 'address = pop(); goto go;'
    case 'int': {
      const number = readOf(target(), 'int', place)
      return `{ struct faultline_registers now = {eax, ebx, ecx, edx, esi, edi, ebp, esp, 0}; eax = faultline_system_call(${number}, &now, run, ${next}); }`
    }
    default:
      return statementFor(name, operands, place)
  }
}

/** `1b` and `1f`: the nearest label of that number before or after. */
function numbered(
  items: readonly Item[],
  at: readonly number[],
  from: number,
  name: string,
): number | undefined {
  const match = /^(\d+)([bf])$/.exec(name)
  if (match === null) return undefined
  const step = match[2] === 'b' ? -1 : 1
  for (let i = from + step; i >= 0 && i < items.length; i += step) {
    const item = items[i]
    if (item.kind === 'label' && item.name === match[1]) return at[i]
  }
  return undefined
}

function declarationOf(name: string, { parameters, isVariadic, returns }: Prototype): string {
  const list = [...Array<string>(parameters).fill('int'), ...(isVariadic ? ['...'] : [])]
  return `${returns ? 'int' : 'void'} ${name}(${list.join(', ') || 'void'})`
}

function callOf(name: string, { parameters, returns }: Prototype): string {
  const list = Array.from({ length: parameters }, (_, i) => `faultline_stack_get(esp + ${4 * i + 4})`)
  return `${returns ? 'eax = ' : ''}${name}(${list.join(', ')});`
}

function entryOf(name: string, { parameters, returns }: Prototype, label: number): string {
  const names = Array.from({ length: parameters }, (_, i) => `word${i}`)
  return [
    `${returns ? 'int' : 'void'} ${name}(${names.map((word) => `int ${word}`).join(', ') || 'void'}) {`,
    '  int scratch[64];',
    `  struct faultline_registers start = faultline_enter_assembly(scratch + 64, ${parameters});`,
    ...names.map((word, i) => `  faultline_stack_put(start.esp + ${4 * i + 4}, ${word});`),
    `  ${returns ? 'return ' : ''}run(${label}, &start);`,
    '}',
  ].join('\n')
}
