import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { at, type Place } from '../../src/frontends/model/build.js'
import { evaluators } from '../../src/frontends/model/expression.js'
import {
  type Expression,
  type GeneratorProgram,
  modelMachine,
  type Operations,
  type Program,
  type Statement,
  type ThreadCode,
} from '../../src/frontends/model/index.js'
import { driveAll, eventsOf } from '../support/drive.js'
import { randomProgram } from '../support/random-program.js'

describe('the two forms', () => {
  test('of one program do the same in every execution', () => {
    fc.assert(
      fc.property(randomProgram({ without: ['spin'], maxInterleavings: 100 }), (program) => {
        const data = modelMachine(program)
        const functions = modelMachine(asFunctions(program))
        const expected: string[] = []
        driveAll(data, () => expected.push(summary(data)), 400)
        let at = 0
        driveAll(functions, () => expect(summary(functions)).toBe(expected[at++]), 400)
        expect(at).toBe(expected.length)
      }),
      { seed: 5, numRuns: 100 },
    )
  })
})

/** Events, shared objects and bug; not registers, which functions keep for themselves. */
function summary(machine: ReturnType<typeof modelMachine>): string {
  const objects = machine.finalState().split('\nthread')[0]
  return [...eventsOf(machine), objects, machine.bug?.kind, machine.bug?.message, machine.output].join('\n')
}

/** The same program with an interpreter of statements for each thread. */
function asFunctions(program: Program): GeneratorProgram {
  const created = JSON.stringify(program).match(/"op":"create","thread":"(\w+)"/)?.[1]
  return {
    ...program,
    roots: Object.keys(program.threads).filter((name) => name !== created),
    threads: Object.fromEntries(
      Object.entries(program.threads).map(([name, body]) => [
        name,
        function* (t: Operations): ThreadCode {
          return yield* execute(t, body, {})
        },
      ]),
    ),
  }
}

type Registers = Record<string, number>
type Running = Generator<ReturnType<Operations['load']>, void, number>

function* execute(t: Operations, body: readonly Statement[], registers: Registers): Running {
  const value = (e: Expression) => evaluate(e, registers)
  for (const s of body) {
    switch (s.op) {
      case 'set':
        registers[s.into] = value(s.value)
        break
      case 'assert':
        t.assert(value(s.condition) !== 0)
        break
      case 'if':
        yield* execute(t, value(s.condition) !== 0 ? s.then : (s.else ?? []), registers)
        break
      case 'while':
        while (value(s.condition) !== 0) yield* execute(t, s.body, registers)
        break
      case 'loop':
        for (let i = value(s.count); i > 0; i--) yield* execute(t, s.body, registers)
        break
      default: {
        const result = yield operation(t, s, value)
        if ('into' in s && s.into !== undefined) registers[s.into] = result
      }
    }
  }
}

function operation(
  t: Operations,
  s: Statement,
  value: (e: Expression) => number,
): ReturnType<Operations['load']> {
  if ('var' in s) {
    const place: Place = s.index === undefined ? s.var : at(s.var, value(s.index))
    if (s.op === 'load' || s.op === 'atomicLoad') return t[s.op](place)
    if (s.op === 'compareExchange') return t.compareExchange(place, value(s.expected), value(s.desired))
    if ('value' in s) return t[s.op](place, value(s.value))
  }
  if (s.op === 'wait' || s.op === 'timedwait') return t[s.op](s.condition, s.mutex)
  if (s.op === 'signal' || s.op === 'broadcast') return t[s.op](s.condition)
  if (s.op === 'barrier') return t.barrier(s.barrier)
  if (s.op === 'create') return t.create(s.thread)
  if (s.op === 'join') return t.join('thread' in s ? s.thread : value(s.handle))
  if (s.op === 'choose') return t.choose(value(s.count))
  if (s.op === 'output') return t.output(value(s.value))
  if (s.op === 'exit' || s.op === 'yield' || s.op === 'point') return t[s.op]()
  if ('mutex' in s) return t[s.op](s.mutex)
  if ('rwlock' in s) return t[s.op](s.rwlock)
  if ('semaphore' in s) return t[s.op](s.semaphore)
  throw new Error(`${s.op} is not an operation`)
}

function evaluate(e: Expression, registers: Registers): number {
  if (typeof e === 'number') return e
  if (typeof e === 'string') return registers[e] ?? 0
  return evaluators[e[0]](evaluate(e[1], registers), evaluate(e[2], registers))
}
