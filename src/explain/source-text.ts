import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Lines of source files, read once each. */
export class SourceText {
  private readonly files = new Map<string, readonly string[]>()

  constructor(private readonly directory: string) {}

  /** The line as written, or undefined if there is none to read. */
  line(file: string, line: number): string | undefined {
    return this.lines(file)[line - 1]
  }

  lines(file: string): readonly string[] {
    let lines = this.files.get(file)
    if (lines === undefined) {
      try {
        lines = readFileSync(resolve(this.directory, file), 'utf8').split('\n')
      } catch {
        lines = []
      }
      this.files.set(file, lines)
    }
    return lines
  }

  /** What is accessed at a place, as the source writes it: `o->owners`; undefined when it cannot be told. */
  expression(file: string, line: number, column: number): string | undefined {
    const text = this.line(file, line)
    return text === undefined || column < 1 ? undefined : expressionAt(text, column - 1)
  }
}

const longestExpression = 32

/** Operators in front of what they apply to, and casts among them: `*(struct job *)`. */
const prefixed = /^(?:[^\w(]|\((?:(?:const|volatile|struct|unsigned)\s+)*\w+[\s*]*\)(?=\s*[\w(*&])|\()*(?=\w)/

/** What C++ calls on the object itself: atomics, locks, conditions, containers and the like. */
const ownMethods = new Set(
  (
    'load store exchange compare_exchange_weak compare_exchange_strong fetch_add fetch_sub fetch_and fetch_or fetch_xor ' +
    'test test_and_set clear wait wait_for wait_until notify_one notify_all lock unlock try_lock try_lock_for ' +
    'try_lock_until lock_shared unlock_shared try_lock_shared acquire release try_acquire arrive arrive_and_wait count_down ' +
    'size empty begin end front back top at data push_back emplace_back pop_back push emplace pop insert erase find'
  ).split(' '),
)

/**
 * The object that a piece of code around `at` names. Compilers point at the member's name, at the operator after it, or
 * at the call whose first argument it is.
 */
export function expressionAt(text: string, at: number): string | undefined {
  let start = at
  if (!/\w/.test(text[start] ?? '')) {
    // An operator: what it applies to stands before it, or behind.
    const before = /(\w+)(?:\[[^\]]*\])?\s*$/.exec(text.slice(0, start))
    if (before) start = before.index
    else {
      const behind = prefixed.exec(text.slice(start))
      if (!behind) return undefined
      const operand = expressionAt(text, start + behind[0].length)
      return operand && behind[0].startsWith('*') ? `*${operand}` : operand
    }
  }
  while (/\w/.test(text[start - 1] ?? '')) start--
  let end = start
  while (/\w/.test(text[end] ?? '')) end++
  const scope = /^(?:::\w+)+/.exec(text.slice(end))
  if (scope) end += scope[0].length
  const call = /^(?:<[\w\s:,*<>]*>)?\s*\(/.exec(text.slice(end))
  if (call) {
    const object = leftPart(text.slice(0, start)).replace(/(?:->|\.)$/, '')
    const isMember = object !== '' && !object.endsWith(':') && ownMethods.has(text.slice(start, end))
    return isMember ? shortExpression(object) : argumentOf(text.slice(end + call[0].length))
  }
  const left = leftPart(text.slice(0, start))
  if (/^std::/.test(left + text.slice(start, end))) return undefined
  // At the head of a chain the whole chain is meant; at a later part of it, what leads there.
  const right = left === '' ? rightPart(text.slice(end)) : brackets(text.slice(end))
  return shortExpression(left + text.slice(start, end) + right)
}

/** First argument, without what only takes its address. */
function argumentOf(text: string): string | undefined {
  let depth = 0
  let end = 0
  for (; end < text.length; end++) {
    const c = text[end]
    if (c === '(' || c === '[') depth++
    else if ((c === ')' || c === ']') && depth-- === 0) break
    else if (c === ',' && depth === 0) break
  }
  return shortExpression(
    text
      .slice(0, end)
      .trim()
      .replace(/^[&*(\s]+/, ''),
  )
}

function shortExpression(text: string): string | undefined {
  // What an index is made of does not matter.
  const clean = text.trim().replace(/\[[^\]]*[^\w\]\s.>%+-][^\]]*\]/g, '[…]')
  if (!/^[A-Za-z_][\w.:[\]>\- %+…]*$/.test(clean) || clean.length > longestExpression) return undefined
  return clean
}

/** `a.b->` before a member's name. */
function leftPart(text: string): string {
  return /((?:\w+(?:\[[^\]]*\])?(?:->|\.|::))*)$/.exec(text)![1]
}

function rightPart(text: string): string {
  return /^(?:\[[^\]]*\]|(?:->|\.)\w+\b(?!\s*\())*/.exec(text)![0]
}

function brackets(text: string): string {
  return /^\[[^\]]*\]/.exec(text)?.[0] ?? ''
}
