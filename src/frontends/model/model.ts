import type { Machine } from '../../machine/machine.js'
import { parseAbortCauses } from '../../machine/transactions.js'
import { Action } from './actions.js'
import { ACTION, Code, ROW } from './code.js'
import { compileBodies } from './compile.js'
import { type GeneratorProgram, generatorMachine, isGeneratorProgram } from './generator.js'
import { hashOf } from './hash.js'
import { Interpreter } from './interpreter.js'
import { ModelMachine } from './machine.js'
import { type Program, ProgramError } from './program.js'

const programFields = [
  'name',
  'variables',
  'arrays',
  'mutexes',
  'rwlocks',
  'conditions',
  'semaphores',
  'barriers',
  'threads',
  'roots',
  'invariants',
  'atEnd',
  'spuriousWakeups',
  'preferWriters',
  'abortCodes',
  'compareOutputs',
]

/** The machine of a program as data or as generator functions. Throws a `ProgramError` if it makes no sense. */
export function modelMachine(program: Program | GeneratorProgram): Machine {
  checkProgram(program)
  return isGeneratorProgram(program) ? generatorMachine(program) : dataMachine(program)
}

function dataMachine(program: Program): Machine {
  return new ModelMachine(program, (layout, stops) => {
    const bodies = compileBodies(program, layout, stops)
    const created = createdBodies(program)
    return {
      bodies: bodies.map((body) => body.name),
      defaultRoots: bodies.map((body) => body.name).filter((name) => !created.has(name)),
      hash: hashOf({ ...program, name: undefined }),
      fixedSites: true,
      hasTransactions: bodies.some((body) => body.code.some((_, i) => isBegin(body.code, i))),
      control: (state) => new Interpreter(state, bodies),
      checkRegister(name, register, where) {
        const { registers } = bodies.find((body) => body.name === name)!
        if (registers.includes(register)) return
        throw new ProgramError(
          where,
          `thread "${name}" has no register "${register}"; it has ${registers.join(', ') || 'none'}`,
        )
      },
    }
  })
}

/** Whether the row that begins there begins a transaction, or ends one. */
function isBegin(code: Int32Array, at: number): boolean {
  return at % ROW === 0 && code[at] === Code.operate && code[at + ACTION] >= Action.txBegin
}

function checkProgram(program: Program | GeneratorProgram): void {
  if (typeof program !== 'object' || program === null)
    throw new ProgramError('program', 'must be an object with threads')
  for (const field of Object.keys(program)) {
    if (!programFields.includes(field)) {
      throw new ProgramError(
        'program',
        `unknown field "${field}"; its fields are ${programFields.join(', ')}`,
      )
    }
  }
  const { threads, spuriousWakeups = false, preferWriters = false } = program
  if (typeof spuriousWakeups !== 'boolean' && !(Number.isInteger(spuriousWakeups) && spuriousWakeups >= 0)) {
    throw new ProgramError('spuriousWakeups', 'must be a whole number of wake-ups, or true for any number')
  }
  if (program.abortCodes !== undefined) {
    try {
      parseAbortCauses(String(program.abortCodes))
    } catch (error) {
      throw new ProgramError('abortCodes', (error as Error).message)
    }
  }
  if (typeof preferWriters !== 'boolean') throw new ProgramError('preferWriters', 'must be true or false')
  if (
    typeof threads !== 'object' ||
    threads === null ||
    Array.isArray(threads) ||
    Object.keys(threads).length === 0
  ) {
    throw new ProgramError(
      'threads',
      'must be an object from thread names to lists of statements, with at least one',
    )
  }
}

/** Bodies that some statement creates. */
function createdBodies(program: Program): Set<string> {
  const created = new Set<string>()
  JSON.stringify(program.threads, (_, value) => {
    if (value?.op === 'create') created.add(value.thread)
    return value
  })
  return created
}
