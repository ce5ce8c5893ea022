/** What the scripts of `tests/c/interrupts.c` may come to, by trying all interleavings. Knows nothing of the engine. */

/** A rule of interrupts that is left out, to see whether anybody notices. */
export type Broken = 'regions' | 'handlers' | 'nesting' | 'blocking' | 'times'

interface Actor {
  readonly script: string
  readonly isHandler: boolean
  /** How often it is still run. */
  times: number
  pc: number
  /** What it has loaded, before it stores. */
  loaded: number | undefined
  depth: number
  sleeps: boolean
}

interface State {
  readonly variables: number[]
  readonly actors: Actor[]
}

/** How all executions end: `a b c`, or `stuck`. */
export function endsOfScripts(scripts: readonly string[], broken?: Broken): Set<string> {
  const first: State = {
    variables: [0, 0, 0],
    actors: scripts.map((script) => ({
      script: script.slice(1),
      isHandler: script[0] !== 't',
      times: script[0] === 't' ? 1 : Number(script[0]) - (broken === 'times' ? 1 : 0),
      pc: 0,
      loaded: undefined,
      depth: 0,
      sleeps: false,
    })),
  }
  const ends = new Set<string>()
  const seen = new Set<string>()
  const visit = (state: State) => {
    const key = JSON.stringify(state)
    if (seen.has(key)) return
    seen.add(key)
    const able = state.actors.flatMap(({ times, sleeps }, i) => (times > 0 && !sleeps ? [i] : []))
    if (able.length === 0) {
      const isOver = state.actors.every(({ times }) => times === 0)
      ends.add(isOver ? state.variables.join(' ') : 'stuck')
    }
    for (const i of able) {
      const next = { variables: [...state.variables], actors: state.actors.map((actor) => ({ ...actor })) }
      step(next, i, broken)
      visit(next)
    }
  }
  visit(first)
  return ends
}

/** One step: an access, or all of a region up to its end or to where its thread blocks. */
function step(state: State, i: number, broken: Broken | undefined): void {
  const actor = state.actors[i]
  const isAtomic = () =>
    broken !== 'regions' && (actor.depth > 0 || (actor.isHandler && broken !== 'handlers'))
  do {
    if (actor.pc < actor.script.length) operate(state, actor, broken)
    if (actor.pc === actor.script.length && actor.loaded === undefined && !actor.sleeps) {
      actor.times--
      actor.pc = 0
      return
    }
  } while (isAtomic() && !actor.sleeps && actor.loaded !== DROWSY)
}

/** The thread has left its region, and will sleep: there must be no such state. */
const DROWSY = -1

function operate(state: State, actor: Actor, broken: Broken | undefined): void {
  const { variables, actors } = state
  const operation = actor.script[actor.pc]
  const variable = 'abc'.indexOf(operation.toLowerCase())
  if (variable >= 0 && actor.loaded === undefined) {
    actor.loaded = variables[variable]
    return
  }
  if (operation === 'y' && actor.loaded === undefined) {
    actor.loaded = variables[0]
    return
  }
  const sleeps = operation === 'z' || (operation === 'y' && (actor.loaded === 0 || actor.loaded === DROWSY))
  if (sleeps && broken === 'blocking' && actor.loaded !== DROWSY) {
    actor.loaded = DROWSY
    return
  }
  actor.pc++
  if (variable >= 0) {
    const old = actor.loaded!
    variables[variable] = /[a-c]/.test(operation) ? old + 1 : 2 * old + 1
  } else if (operation === '[') actor.depth++
  else if (operation === ']') actor.depth = broken === 'nesting' ? 0 : actor.depth - 1
  else if (operation === 'z' || operation === 'y') actor.sleeps = sleeps
  else {
    const target = actors.filter(({ isHandler }) => !isHandler)[Number(operation)]
    if (target !== undefined) target.sleeps = false
  }
  actor.loaded = undefined
}
