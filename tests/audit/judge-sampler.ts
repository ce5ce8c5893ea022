import type { Runner } from '../../src/execution/runner.js'
import type { Program } from '../../src/frontends/model/program.js'
import { isEverywhere, parsePoints } from '../../src/program/points.js'
import type { Random } from '../../src/random/random.js'
import { findStrategy } from '../../src/strategies/index.js'
import { type Reached, reach } from '../support/brute-force.js'
import { engine } from '../support/engine.js'
import { exactDistribution } from '../support/exact-distribution.js'
import { type Finding, Findings } from './finding.js'
import type { Question } from './question.js'

/** These can give any class. */
const reachAll = ['random', 'rapos', 'pos', 'pos:strict', 'surw', 'surw:object']

/** Samples exist, and no class is out of reach; a random walk gives each at least the probability that it claims. */
export function judgeSampler(program: Program, question: Question, all: Reached): readonly Finding[] {
  const { strategy: spec, points } = question
  const findings = new Findings(question)
  const machine = engine.modelMachine(program)
  machine.usePoints(parsePoints(points))
  const found = reach(machine, engine.createStrategy(spec, { machine, seed: all.executions }), 100)
  findings.missing('invented', found.finalStates, all.finalStates, 'final states')
  findings.missing('invented', found.bugs, all.bugs, 'bugs')
  findings.missing('invented', found.classes.keys(), all.classes, 'classes')
  if (!reachAll.includes(spec) || all.executions > 60) return findings.list
  const fingerprint = new engine.Fingerprint(machine)
  const { entry, argument } = findStrategy(spec)
  const same = (index: number) => index
  let steps = 0
  const distribution = exactDistribution({
    machine,
    limit: 3000,
    create: (random: Random) =>
      entry.create({ machine, random, order: 'stay', argument, threadHere: same, locationHere: same }),
    key: ({ trace, status }: Runner) => {
      steps = Math.max(steps, trace.length)
      return fingerprint.of(trace, status)
    },
  })
  if (distribution === null) return findings.list
  const sum = [...distribution.values()].reduce((a, b) => a + b, 0)
  if (Math.abs(sum - 1) > 1e-9) findings.add('wrong claim', `probabilities add up to ${sum}`)
  // Where a transition does more than is announced, batches and races are guessed: only a walk is sure to get anywhere.
  if (isEverywhere(parsePoints(points)) || spec === 'random')
    findings.missing('classes lost', all.classes.keys(), distribution, `of ${all.classes.size} classes`)
  return findings.list
}
