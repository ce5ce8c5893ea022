import type { Runner } from '../../src/execution/runner.js'
import { isEverywhere, parsePoints } from '../../src/machine/points.js'
import type { Random } from '../../src/random/random.js'
import { findStrategy } from '../../src/strategies/index.js'
import { endOf, type Reached, reach } from '../support/brute-force.js'
import { engine } from '../support/engine.js'
import { exactDistribution } from '../support/exact-distribution.js'
import { type Finding, Findings } from './finding.js'
import { printed, seenFrom } from './judge.js'
import type { Question } from './question.js'
import { isScripts, machineOf, type Subject } from './subject.js'

/** These can give any class. */
const reachAll = ['random', 'rapos', 'pos', 'pos:strict', 'surw', 'surw:object']

/** Samples exist, and no class is out of reach; a random walk gives each at least the probability that it claims. */
export async function judgeSampler(
  subject: Subject,
  question: Question,
  all: Reached,
): Promise<readonly Finding[]> {
  const { strategy: spec, points } = question
  const findings = new Findings(question)
  const machine = await machineOf(subject, points)
  const sampled = reach(machine, engine.createStrategy(spec, { machine, seed: all.executions }), 100)
  const found = seenFrom(subject, sampled)
  findings.missing('invented', found.finalStates, all.finalStates, 'final states')
  findings.missing('invented', found.bugs, all.bugs, 'bugs')
  findings.missing('invented', found.classes.keys(), all.classes, 'classes')
  if (!reachAll.includes(spec) || all.executions > 60) return findings.list
  const fingerprint = new engine.Fingerprint(machine)
  const { entry, argument } = findStrategy(spec)
  const same = (index: number) => index
  const ends = new Set<string>()
  const distribution = exactDistribution({
    machine,
    limit: 3000,
    create: (random: Random) =>
      entry.create({ machine, random, order: 'stay', argument, threadHere: same, locationHere: same }),
    key: (runner: Runner) => {
      const { text } = endOf(runner)
      ends.add(isScripts(subject) ? printed(text) : text)
      return fingerprint.of(runner.trace, runner.status)
    },
  })
  if (distribution === null) return findings.list
  const sum = [...distribution.values()].reduce((a, b) => a + b, 0)
  if (Math.abs(sum - 1) > 1e-9) findings.add('wrong claim', `probabilities add up to ${sum}`)
  // Where a transition does more than is announced, batches and races are guessed: only a walk is sure to get anywhere.
  const isAnnounced = isEverywhere(parsePoints(points)) && !(spec === 'rapos' && machine.isCompound)
  if (isAnnounced || spec === 'random') {
    // What rapos passed over waits until nothing else is left: a failure comes early or last, not after every prefix.
    const classes = [...all.classes.keys()].filter((key) => spec !== 'rapos' || !all.failed.has(key))
    findings.missing('classes lost', classes, distribution, `of ${all.classes.size} classes`)
    findings.missing('bugs lost', all.bugs, ends, `of ${all.bugs.size} bugs`)
  }
  return findings.list
}
