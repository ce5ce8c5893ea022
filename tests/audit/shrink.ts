import type { Program, Statement } from '../../src/frontends/model/program.js'
import { shorterScripts } from './scripts.js'
import { isScripts, type Subject } from './subject.js'

type StillWrong = (candidate: Subject) => Promise<boolean>

/** The smallest program reached by leaving things out, one at a time, that still has the property. */
export async function shrink(subject: Subject, stillWrong: StillWrong): Promise<Subject> {
  for (;;) {
    const list = isScripts(subject) ? shorterScripts(subject) : candidates(subject)
    const smaller = await firstOf(list, stillWrong)
    if (smaller === null) return subject
    subject = smaller
  }
}

async function firstOf(list: readonly Subject[], stillWrong: StillWrong): Promise<Subject | null> {
  for (const candidate of list) {
    // What makes no sense (a name no longer declared) is no candidate.
    if (await stillWrong(candidate).catch(() => false)) return candidate
  }
  return null
}

function candidates(program: Program): Program[] {
  const list: Program[] = []
  const names = Object.keys(program.threads)
  for (const name of names) {
    if (names.length > 1) list.push(declared(withThreads(program, without(program.threads, name))))
  }
  for (const key of ['invariants', 'atEnd', 'spuriousWakeups', 'preferWriters', 'compareOutputs'] as const) {
    if (program[key] !== undefined) list.push(without(program, key))
  }
  for (const name of names) {
    for (const body of shorter(program.threads[name])) {
      list.push(declared(withThreads(program, { ...program.threads, [name]: body })))
    }
  }
  for (const section of ['variables', 'semaphores'] as const) {
    for (const [name, value] of Object.entries(program[section] ?? {})) {
      if (value > 0) list.push({ ...program, [section]: { ...program[section], [name]: value - 1 } })
    }
  }
  return list
}

/** A body with one statement left out, an `if` replaced by a branch, a count or value made smaller. */
function shorter(body: readonly Statement[]): (readonly Statement[])[] {
  const list: (readonly Statement[])[] = []
  body.forEach((statement, i) => {
    const replace = (...by: readonly Statement[]) => list.push(body.toSpliced(i, 1, ...by))
    replace()
    if (statement.op === 'if') {
      replace(...statement.then)
      if (statement.else) replace(...statement.else)
      for (const then of shorter(statement.then)) replace({ ...statement, then })
      if (statement.else) replace(without(statement, 'else'))
      for (const other of shorter(statement.else ?? [])) replace({ ...statement, else: other })
    }
    if (statement.op === 'while' || statement.op === 'loop') {
      for (const inner of shorter(statement.body)) replace({ ...statement, body: inner })
    }
    if (statement.op === 'choose' && typeof statement.count === 'number' && statement.count > 2) {
      replace({ ...statement, count: statement.count - 1 })
    }
    if ('value' in statement && typeof statement.value === 'number' && statement.value > 0) {
      replace({ ...statement, value: statement.value - 1 })
    }
  })
  return list
}

function without<T extends object>(object: T, key: string): T {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key)) as T
}

function withThreads(program: Program, threads: Program['threads']): Program {
  return { ...program, threads }
}

/** Leaves out declarations that nothing uses. */
function declared(program: Program): Program {
  const { threads, invariants, atEnd } = program
  const text = JSON.stringify([threads, invariants, atEnd])
  const isUsed = (name: string) => text.includes(`"${name}"`)
  const sections = [
    'variables',
    'arrays',
    'mutexes',
    'semaphores',
    'barriers',
    'rwlocks',
    'conditions',
  ] as const
  let result = program
  for (const section of sections) {
    const part = program[section]
    if (part === undefined) continue
    const kept = Array.isArray(part)
      ? part.filter(isUsed)
      : Object.fromEntries(Object.entries(part).filter(([name]) => isUsed(name)))
    result = Object.keys(kept).length === 0 ? without(result, section) : { ...result, [section]: kept }
  }
  return result
}
