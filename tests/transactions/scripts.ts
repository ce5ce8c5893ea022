import type { Expression, Statement } from '../../src/frontends/model/program.js'

/** As tests/c/transaction-scripts.c numbers them. */
export const ops = [
  'end',
  'load',
  'store',
  'storeNext',
  'add',
  'compare',
  'check',
  'unlessEqual',
  'jump',
  'begin',
  'persist',
  'xend',
  'xabort',
  'xtest',
  'print',
  'lock',
  'unlock',
  'fence',
  'set',
] as const
const registers = ['r', 'q', 's', '%']
export const ROW = 4

/** The same program as instructions. */
export function encode(statements: readonly Statement[]): number[] {
  const code: number[] = []
  const put = (op: (typeof ops)[number], a = 0, b = 0, c = 0) => code.push(ops.indexOf(op), a, b, c) - ROW
  const variable = (name: unknown) => (name === 'y' ? 1 : 0)
  /** Goes on with what comes first if the register holds the value, else with the other. */
  const branch = (register: string, value: number, first: () => void, other: () => void) => {
    const test = put('unlessEqual', registers.indexOf(register), value)
    first()
    const leave = put('jump')
    code[test + 3] = code.length
    other()
    code[leave + 3] = code.length
  }
  /** Where the program does not see it, there is a place of its own for it. */
  const status = (into: string | undefined) => registers.indexOf(into ?? '%')
  const add = (list: readonly Statement[]): void => {
    for (const s of list) {
      if (s.op === 'load') put('load', variable(s.var), registers.indexOf(s.into))
      else if (s.op === 'store')
        typeof s.value === 'number'
          ? put('store', variable(s.var), s.value)
          : put('storeNext', variable(s.var))
      else if (s.op === 'fetchAdd') put('add', variable(s.var), s.value as number)
      else if (s.op === 'compareExchange')
        put('compare', variable(s.var), s.expected as number, s.desired as number)
      else if (s.op === 'assert') put('check')
      else if (s.op === 'if') {
        const [then, otherwise] = [() => add(s.then), () => add(s.else ?? [])]
        const condition: Expression = s.condition
        if (typeof condition === 'string') branch(condition, 0, otherwise, then)
        else
          branch(
            (condition as [string, string, number])[1],
            (condition as [string, string, number])[2],
            then,
            otherwise,
          )
      } else if (s.op === 'atomically') {
        if (s.else === undefined) put('persist')
        else put('begin', status(s.into))
        const commit = () => {
          add(s.body)
          put('xend')
        }
        if (s.else === undefined) commit()
        else branch(registers[status(s.into)], -1, commit, () => add(s.else!))
      } else if (s.op === 'xbegin') put('begin', status(s.into))
      else if (s.op === 'xabort') put('xabort', (s.code as number | undefined) ?? 0)
      else if (s.op === 'output') put('print')
      else if (s.op === 'set') put('set', registers.indexOf(s.into), s.value as number)
      else if (s.op === 'while') {
        // It goes round while a register does not hold a value.
        const [, register, value] = s.condition as [string, string, number]
        const begin = put('unlessEqual', registers.indexOf(register), value)
        const leave = put('jump')
        code[begin + 3] = code.length
        add(s.body)
        code[put('jump') + 3] = begin
        code[leave + 3] = code.length
      } else put(s.op as 'xend')
    }
  }
  add(statements)
  put('end')
  return code
}

/** Variables, and registers that are not 0. */
export const canonical = (output: string) =>
  output
    .trimEnd()
    .replace(/ ?\w=0(?=\s|$)/g, '')
    .replace(/:(?! )/g, ': ')
