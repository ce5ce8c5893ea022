import { describe, expect, it } from 'vitest'
import type { Judgement } from '../runs/verdict.js'
import type { PathCounts } from './path-tree.js'
import { type InputEvidence, judgeInputs } from './verdict.js'

const verified: Judgement = {
  verdict: 'verified',
  guarantee: 'every schedule was explored; none shows a bug',
  caveats: [],
}
const nothingLeftOut: PathCounts = {
  paths: 2,
  queries: 1,
  unknown: 0,
  cutValues: 0,
  unordered: 0,
  spun: 0,
  waysTaken: 2,
  ways: 2,
}
const all: InputEvidence = {
  stopped: 'exhausted',
  judgements: [verified, verified],
  left: 0,
  counts: nothingLeftOut,
  missed: 0,
  names: ['n'],
}

describe('the verdict on inputs', () => {
  it('speaks of every value if nothing was left out', () => {
    const { verdict, guarantee } = judgeInputs(all)
    expect(verdict).toBe('verified')
    expect(guarantee).toBe(
      'for every value of n, of which 2 stand for all: every schedule was explored; none shows a bug',
    )
  })

  it.each(['unknown', 'cutValues', 'unordered', 'spun'] as const)('does not if there is %s', (what) => {
    const { verdict, guarantee, caveats } = judgeInputs({ ...all, counts: { ...nothingLeftOut, [what]: 1 } })
    expect(verdict).toBe('bounded')
    expect(guarantee).toContain('other values of n may')
    expect(caveats).toHaveLength(1)
  })

  it('does not if an input did something else than promised', () => {
    expect(judgeInputs({ ...all, missed: 1 }).verdict).toBe('bounded')
  })

  it('is as weak as that on the weakest input', () => {
    const bounded: Judgement = { ...verified, verdict: 'bounded', caveats: ['1 execution cut'] }
    const found = judgeInputs({ ...all, judgements: [verified, bounded] })
    expect(found).toMatchObject({ verdict: 'bounded', caveats: ['1 execution cut'] })
    const partial: Judgement = { ...verified, verdict: 'budget' }
    expect(judgeInputs({ ...all, judgements: [verified, partial] }).verdict).toBe('budget')
  })

  it('is incomplete while inputs are left', () => {
    const found = judgeInputs({ ...all, left: 3, stopped: 'budget' })
    expect(found.verdict).toBe('budget')
    expect(found.incomplete?.missing).toBe('3 more inputs were not explored to the end, because time ran out')
  })

  it('is the plain one if the program has asked for no input', () => {
    expect(judgeInputs({ ...all, judgements: [verified], names: [] })).toEqual(verified)
  })
})
