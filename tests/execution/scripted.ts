import { Runner, type RunnerOptions } from '../../src/execution/runner.js'
import { type ChoicePoint, emptyScript, type Strategy } from '../../src/execution/strategy.js'
import { modelMachine, type Program } from '../../src/frontends/model/index.js'
import type { Machine } from '../../src/machine/machine.js'

/** Follows words such as `a a b=1`: threads by label, `=1` for another alternative than the first; then gives up. */
export function scripted(words: string): Strategy & { readonly points: string[] } {
  const script = words.split(/\s+/).filter(Boolean)
  const points: string[] = []
  return {
    name: 'scripted',
    footprints: true,
    script: emptyScript,
    points,
    begin: () => true,
    choose(point: ChoicePoint) {
      points.push(describePoint(point))
      if (point.depth >= script.length) return -1
      const [name, value = '0'] = script[point.depth].split('=')
      for (let i = 0; i < point.count; i++) {
        const label = point.machine.threads.labelOf(point.thread[i])
        if (label === name && point.value[i] === Number(value)) return i
      }
      throw new Error(`word ${point.depth}, ${script[point.depth]}, is not among ${describePoint(point)}`)
    },
    end() {},
    save: () => ({}),
  }
}

function describePoint(point: ChoicePoint): string {
  const { machine, count } = point
  const options = Array.from({ length: count }, (_, i) => {
    const several = machine.alternatives(point.thread[i]) > 1
    return machine.threads.labelOf(point.thread[i]) + (several ? `=${point.value[i]}` : '')
  })
  return options.join(' ')
}

/** One execution of a program under a script. */
export function runScript(program: Program | Machine, words: string, options: RunnerOptions = {}) {
  const machine = 'threads' in program && 'pending' in program ? program : modelMachine(program)
  const runner = new Runner(machine, options)
  const strategy = scripted(words)
  runner.run(strategy)
  const { status, bug, trace, unfinished } = runner
  return { machine, status, bug, trace, unfinished, points: strategy.points }
}
