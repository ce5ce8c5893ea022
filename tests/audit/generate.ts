import { create } from '../../src/frontends/model/build.js'
import type { Expression, Program, Statement } from '../../src/frontends/model/program.js'
import { declare, tidy } from '../support/declare.js'
import { Draw } from '../support/draw.js'
import { countChoices, countOperations, interleavings } from '../support/size.js'
import { type Mix, mixes } from './mixes.js'
import { generateScripts, type ScriptMix, scriptMixes } from './scripts.js'
import type { Subject } from './subject.js'

/** Of model programs, or of C programs. */
export type AnyMix = Mix | ScriptMix

export const allMixes: readonly AnyMix[] = [...mixes, ...scriptMixes]

/** Bounds the interleavings of the operations as counted before the run; loops and waits may add to it. */
const most = 3_000

/** The program of a mix with a number. */
export function generate(mix: AnyMix, seed: number): Subject {
  const draw = Draw.fromSeed(seed)
  return 'operations' in mix ? generateScripts(mix, draw) : generateModel(mix, draw)
}

/** Two to five threads of one to three fragments each. */
function generateModel(mix: Mix, draw: Draw): Program {
  const count = 2 + draw.below(4)
  for (let attempt = 0; ; attempt++) {
    // Programs of many threads fit only if these are short.
    const longest = attempt < 6 ? 3 : attempt < 12 ? 2 : 1
    const bodies = Array.from({ length: attempt < 18 ? count : 2 }, () =>
      Array.from({ length: 1 + draw.below(longest) }, () => draw.weighted(mix.fragments)(draw)).flat(),
    )
    const ways = bodies.reduce((n, body) => n * countChoices(body), 1)
    if (interleavings(bodies.map(countOperations)) * ways <= most) return assemble(mix, bodies, draw)
  }
}

/** Whether a mix's program of ten has something. */
const has = (draw: Draw, ofTen = 0) => draw.below(10) < ofTen

function assemble(mix: Mix, bodies: Statement[][], draw: Draw): Program {
  const names = bodies.map((_, i) => `t${i}`)
  if (has(draw, mix.family)) names[names.length - 1] = 'last'
  const threads = Object.fromEntries(
    bodies.map((body, i) => [names[i], tidy(withoutStrangers(body, i, names))]),
  )
  if (names.includes('last')) threads.t0 = [create('last'), ...threads.t0]
  const text = JSON.stringify(threads)
  const uses = (name: string) => text.includes(`:"${name}"`)
  const initial = { x: draw.below(3), y: draw.below(2) }
  const variables = Object.entries(initial).filter(([name]) => uses(name))
  const expression = sum(variables.map(([name]) => name))
  return {
    ...declare(uses, { ...initial, permits: draw.below(3), parties: 2 + (draw.below(4) === 0 ? 1 : 0) }),
    threads,
    ...(mix.abortCodes === undefined ? {} : { abortCodes: mix.abortCodes }),
    ...(mix.preferWriters && uses('rw') ? { preferWriters: true } : {}),
    ...(uses('c') && has(draw, mix.spurious) ? { spuriousWakeups: true } : {}),
    ...(text.includes('"output"') && has(draw, mix.compareOutputs) ? { compareOutputs: true } : {}),
    ...(expression !== null && has(draw, mix.invariant)
      ? { invariants: { holds: ['!=', expression, 1 + draw.below(3)] } }
      : {}),
    ...(has(draw, mix.atEnd) ? atEnd(expression, threads, draw) : {}),
  }
}

/** Only a thread with children can join one, and only its own: other joins go. */
function withoutStrangers(body: Statement[], thread: number, names: readonly string[]): Statement[] {
  const joins = body.findIndex((s) => s.op === 'join')
  return body.filter((s, i) => s.op !== 'join' || (i === joins && thread === 0 && names.includes('last')))
}

function sum(names: readonly string[]): Expression | null {
  if (names.length === 0) return null
  return names.length === 1 ? names[0] : ['+', names[0], names[1]]
}

/** A check of the variables, or of a register together with them. */
function atEnd(
  variables: Expression | null,
  threads: Readonly<Record<string, readonly Statement[]>>,
  draw: Draw,
): Pick<Program, 'atEnd'> {
  const registers = Object.entries(threads).flatMap(([thread, body]) =>
    ['r', 'q', 'k']
      .filter((r) => thread !== 'last' && JSON.stringify(body).includes(`"into":"${r}"`))
      .map((r): Expression => ['reg', thread, r]),
  )
  const all = [...(variables === null ? [] : [variables]), ...registers]
  if (all.length === 0) return {}
  const one = (): Expression => ['==', draw.of(all), draw.below(3)]
  return { atEnd: { holds: ['!', ['&&', one(), one()]] } }
}
