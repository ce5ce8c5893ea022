import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Machine } from '../../src/machine/machine.js'
import { Op } from '../../src/machine/operation.js'
import { everywhere, parsePoints } from '../../src/machine/points.js'
import { Fingerprint } from '../../src/ordering/fingerprint.js'
import { Random } from '../../src/random/random.js'
import { following, type RecordedStep, randomly, record, recordAll } from '../contract/recording.js'
import { ainc, figure2, inc } from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'
import { classText } from './naive.js'
import { Synthetic } from './synthetic.js'

/** Pairs that must match one to one. */
class Matching {
  private readonly byClass = new Map<string, string>()
  private readonly byFingerprint = new Map<string, string>()

  add(fingerprint: string, text: string, where: string): void {
    const known = this.byClass.get(text)
    if (known !== undefined && known !== fingerprint)
      expect.fail(`two fingerprints of one class\n${text}\n${where}`)
    const other = this.byFingerprint.get(fingerprint)
    if (other !== undefined && other !== text)
      expect.fail(`one fingerprint of two classes\n${text}\n\n${other}\n${where}`)
    this.byClass.set(text, fingerprint)
    this.byFingerprint.set(fingerprint, text)
  }

  get classes(): number {
    return this.byClass.size
  }
}

describe('fingerprints', () => {
  test('are equal exactly in one class, over executions of random programs', () => {
    let executions = 0
    let classes = 0
    for (const program of fc.sample(randomProgram({ maxInterleavings: 400 }), { seed: 3, numRuns: 150 })) {
      const machine = modelMachine(program)
      const fingerprint = new Fingerprint(machine)
      const matching = new Matching()
      const visit = ({ steps, trace, end }: ReturnType<typeof record>) => {
        const failed = end === 'failed'
        const text = classText(machine.locations, steps, machine.threads.names, failed)
        matching.add(fingerprint.of(trace, failed ? 'failed' : 'completed'), text, JSON.stringify(program))
        executions++
      }
      recordAll(machine, visit, { limit: 150, withoutStops: true })
      classes += matching.classes
    }
    expect(executions).toBeGreaterThan(3000)
    expect(classes).toBeGreaterThan(500)
    expect(classes).toBeLessThan(executions - 1000)
  })

  test('are equal exactly in one class when locations overlap', () => {
    const synthetic = new Synthetic()
    const fingerprint = new Fingerprint(synthetic.machine)
    const random = new Random(5)
    let classes = 0
    for (let n = 0; n < 40; n++) {
      const matching = new Matching()
      for (const steps of synthetic.interleavings(synthetic.body(random))) {
        const text = classText(synthetic.locations, steps, synthetic.threads.names, false)
        matching.add(fingerprint.of(synthetic.trace(steps)), text, String(n))
      }
      classes += matching.classes
    }
    expect(classes).toBeGreaterThan(200)
  })

  test('do not depend on the order in which names were met', () => {
    const program = ainc(3)
    const machine = modelMachine(program)
    const { steps, trace } = record(machine, randomly(new Random(8)))
    const text = new Fingerprint(machine).of(trace)
    const other = modelMachine(program)
    other.threads.preload(['0.3', '0.2', '0.1.1', '0.1'])
    other.locations.preload([['mutex', 'of another program']])
    const again = record(other, following(steps))
    expect([...again.trace.thread.subarray(0, trace.length)]).not.toEqual([
      ...trace.thread.subarray(0, trace.length),
    ])
    expect(new Fingerprint(other).of(again.trace)).toBe(text)
  })

  test('are of the behaviour, not of the points at which it was cut up', () => {
    const pointSets = ['yield', 'lock', 'unlock', 'sync', 'atomic']
    const programs = fc.sample(randomProgram(), { seed: 9, numRuns: 100 })
    for (const [i, program] of programs.entries()) {
      const machine = modelMachine(program)
      const fingerprint = new Fingerprint(machine)
      const random = new Random(i)
      machine.usePoints(parsePoints(pointSets[i % pointSets.length]))
      const { steps, trace, end } = record(machine, randomly(random))
      if (end === 'failed') continue
      const text = fingerprint.of(trace)
      machine.usePoints(everywhere)
      expect(fingerprint.of(record(machine, pieceByPiece(machine, steps)).trace)).toBe(text)
    }
  })

  test('tell a failure from what had been done before it', () => {
    const machine = modelMachine(inc(2))
    const { trace } = record(machine, randomly(new Random(1)))
    const fingerprint = new Fingerprint(machine)
    expect(fingerprint.of(trace, 'failed')).not.toBe(fingerprint.of(trace, 'completed'))
    expect(fingerprint.of(trace, 'stuck')).toBe(fingerprint.of(trace, 'completed'))
  })

  test('count the 12 partial orders of the example of Yuan, Yang and Gu', () => {
    const machine = modelMachine(figure2())
    const texts = new Set<string>()
    const fingerprint = new Fingerprint(machine)
    recordAll(machine, ({ trace, end }) => {
      texts.add(fingerprint.of(trace, end === 'failed' ? 'failed' : 'completed'))
    })
    expect(texts.size).toBe(12)
    for (const text of texts) expect(text).toMatch(/^[0-9a-f]{16}$/)
  })
})

/** Repeats transitions one operation at a time. */
function pieceByPiece(machine: Machine, steps: readonly RecordedStep[]) {
  let at = 0
  let begun = 0
  return () => {
    const count = (i: number) => steps[i].events.filter((e) => e.kind !== Op.probe).length
    const before = (i: number) => steps.slice(0, i).reduce((sum, _, k) => sum + count(k), 0)
    while (at < steps.length && begun > at && machine.events.count >= before(at + 1)) at++
    if (at === steps.length) return null
    const { thread, value } = steps[at]
    const first = begun === at
    begun = at + 1
    return { thread, value: first ? value : 0 }
  }
}
