import { describe, expect, it } from 'vitest'
import { formatPoints, type RacePoint } from '../machine/points.js'
import { Board } from './board.js'
import { noCounters } from './counters.js'
import type { Job } from './job.js'
import { markCrashed } from './search-record.js'
import { kindBit } from './watch-operations.js'

const alpha: RacePoint = { site: 'a', thread: '0.1' }
const beta: RacePoint = { site: 'b', thread: '0.2' }
const both = (race: RacePoint) => ({ race, isBothOrder: true })
const single = (race: RacePoint) => ({ race, isBothOrder: false })
/** The order of the paper: the maximal set last. */
const paper = { trial: 0 }

function jobWith(board: Board, points: string): Job {
  const job = board.jobs.find((j) => formatPoints(j.points) === points)
  if (!job)
    throw new Error(`no job ${points} among ${board.jobs.map((j) => formatPoints(j.points)).join(' ')}`)
  return job
}

/** As a worker would leave it. */
function suspend(job: Job, eta: number, executions = 100): void {
  job.status = 'suspended'
  job.eta = eta
  job.counters = { ...noCounters, executions }
}

/** Explored to the end, and every kind of operation met on the way. */
function finish(board: Board, job: Job): void {
  job.kindsSeen = -1
  board.complete(job)
}

const table = (board: Board) => board.jobs.map((job) => `${job.origin.kind} ${formatPoints(job.points)}`)

describe('seeds', () => {
  it('are each kind alone, and all', () => {
    expect(table(new Board())).toEqual([
      'seed yield',
      'seed yield,lock',
      'seed yield,unlock',
      'seed yield,atomic',
      'maximal yield,lock,unlock,sync,atomic',
    ])
  })

  it('go from small to large, the maximal one last; or first, to try it', () => {
    const order = (board: Board) => {
      const seen: number[] = []
      for (let job = board.next(1000); job; job = board.next(1000)) {
        seen.push(job.id)
        job.status = 'crashed'
      }
      return seen
    }
    expect(order(new Board(paper))).toEqual([1, 2, 3, 4, 5])
    expect(order(new Board())).toEqual([5, 1, 2, 3, 4])
    expect(order(new Board({ ...paper, verify: true }))).toEqual([5, 1, 2, 3, 4])
  })
})

describe('new jobs (algorithm 2)', () => {
  it('are four for a pair seen in both orders, as in figure 4', () => {
    const board = new Board(paper)
    const from = jobWith(board, 'yield,lock')
    board.report(from, [both(alpha), both(beta)])
    expect(table(board).slice(5)).toEqual([
      'big yield,lock,race:a@0.1',
      'small yield,race:a@0.1',
      'big yield,lock,race:b@0.2',
      'small yield,race:b@0.2',
      'maximal yield,lock,unlock,sync,atomic,race:a@0.1,race:b@0.2',
    ])
    // If they find the pair again, the two together follow, once.
    board.report(jobWith(board, 'yield,lock,race:a@0.1'), [both(alpha), both(beta)])
    board.report(jobWith(board, 'yield,lock,race:b@0.2'), [both(alpha), both(beta)])
    expect(table(board).slice(10)).toEqual(['big yield,lock,race:a@0.1,race:b@0.2'])
  })

  it('leave out a big one that some job contains, and a small one only if there is an equal one', () => {
    const board = new Board(paper)
    const yields = jobWith(board, 'yield')
    board.report(jobWith(board, 'yield,lock'), [both(alpha)])
    const before = board.jobs.length
    board.report(yields, [both(alpha)])
    // {yield, a} is both the small job of before and the big job of {yield}.
    expect(board.jobs).toHaveLength(before)
    const big = new Board(paper)
    big.report(jobWith(big, 'yield,lock'), [both(alpha)])
    const small = jobWith(big, 'yield,race:a@0.1')
    expect(small.status).toBe('pending')
  })

  it('come sooner for races seen in both orders', () => {
    const board = new Board(paper)
    board.report(null, [single(alpha), both(beta)])
    for (const job of board.jobs) if (job.origin.kind === 'seed') finish(board, job)
    expect(formatPoints(board.next(1000)!.points)).toBe('yield,race:b@0.2')
    board.report(null, [both(alpha)])
    expect(jobWith(board, 'yield,race:a@0.1').priority).toBe(jobWith(board, 'yield,race:b@0.2').priority)
  })

  it('renew the maximal set, whatever it was doing', () => {
    const board = new Board()
    const old = board.maximal
    old.status = 'running'
    expect(board.report(old, [single(alpha)])).toBe(true)
    expect(old.status).toBe('pruned')
    expect(board.maximal.points.races).toEqual([alpha])
    expect(board.report(board.maximal, [single(alpha)])).toBe(false)
    board.needRelease()
    expect(board.maximal.points.kinds).toContain('release')
    expect(board.maximal.points.races).toEqual([alpha])
  })
})

describe('which job to go on with (algorithm 3)', () => {
  it('is the one at hand while its estimate fits', () => {
    const board = new Board(paper)
    const [yields, job] = board.jobs
    finish(board, yields)
    suspend(job, 150)
    job.status = 'running'
    expect(board.reconsider(job, 100)).toBe(job)
    expect(board.reconsider(job, 70)).not.toBe(job)
    job.counters = { ...noCounters, executions: 31 }
    expect(board.reconsider(job, 1)).toBe(job)
  })

  it('is a pending one of which nothing deferred is part, the one at hand and those elsewhere included', () => {
    const board = new Board(paper)
    const [yields, lock, unlock, atomic] = board.jobs
    finish(board, yields)
    suspend(lock, 1e6)
    lock.status = 'running'
    expect(board.reconsider(lock, 10)).toBe(unlock)
    suspend(lock, 1e6)
    suspend(unlock, 1e6)
    unlock.status = 'running'
    expect(board.reconsider(unlock, 10)).toBe(atomic)
    suspend(unlock, 1e6)
    suspend(atomic, 2e6)
    atomic.status = 'running'
    // Only the maximal set is pending, and all these are part of it: back to the best of the suspended ones.
    expect(board.reconsider(atomic, 10)).toBe(lock)
  })

  it('is a suspended one only if it should end sooner and no smaller one is suspended too', () => {
    const board = new Board(paper)
    const [yields, lock, unlock] = board.jobs
    board.report(lock, [both(alpha)])
    const more = jobWith(board, 'yield,lock,race:a@0.1')
    for (const job of board.jobs) if (![lock, unlock, more].includes(job)) job.status = 'pruned'
    finish(board, yields)
    suspend(lock, 500)
    suspend(more, 100)
    suspend(unlock, 800)
    unlock.status = 'running'
    // `more` claims to be quicker than its own subset: that is not believed.
    expect(board.reconsider(unlock, 10)).toBe(lock)
    lock.eta = 900
    expect(board.reconsider(unlock, 10)).toBe(unlock)
  })

  it('stays with the maximal set only while it takes a small part of the time, and with --verify always', () => {
    const board = new Board()
    const { maximal } = board
    suspend(maximal, 20)
    maximal.status = 'running'
    expect(board.reconsider(maximal, 100)).toBe(maximal)
    maximal.eta = 30
    expect(board.reconsider(maximal, 100)).toBe(board.jobs[0])
    expect(board.maximalIsLarge).toBe(true)
    board.report(null, [both(alpha)])
    expect(board.next(100)).toBe(board.jobs[0])
    const proof = new Board({ verify: true })
    suspend(proof.maximal, 1e9)
    proof.maximal.status = 'running'
    expect(proof.reconsider(proof.maximal, 1)).toBe(proof.maximal)
  })
})

describe('what is not run', () => {
  it('is all that is part of a complete one', () => {
    const board = new Board()
    board.report(null, [both(alpha)])
    board.complete(board.maximal)
    expect(board.isDone).toBe(true)
    expect(board.jobs.filter((job) => job.status === 'complete')).toEqual([board.maximal])
  })

  it('is not what is part of one that was cut', () => {
    const board = new Board()
    board.maximal.counters = { ...noCounters, executions: 5, cut: 1 }
    board.complete(board.maximal)
    expect(board.isDone).toBe(false)
  })

  it('is a set that adds only points that do not arise', () => {
    const board = new Board(paper)
    const [yields, lock, , atomic] = board.jobs
    yields.kindsSeen = kindBit('yield') | kindBit('lock') | kindBit('unlock') | kindBit('sync')
    board.complete(yields)
    expect(board.next(100)).toBe(lock)
    expect(atomic).toMatchObject({ status: 'pruned', reason: 'the same state space as job 1' })
    const alone = new Board(paper)
    alone.jobs[0].kindsSeen = kindBit('yield')
    alone.complete(alone.jobs[0])
    expect(alone.next(100)).toBeNull()
    expect(alone.maximal.status).toBe('complete')
    expect(alone.isDone).toBe(true)
  })
})

describe('a bug', () => {
  it('puts supersets last', () => {
    const board = new Board(paper)
    const [yields, lock, unlock] = board.jobs
    finish(board, yields)
    board.report(lock, [both(alpha)])
    lock.status = 'running'
    board.foundBug(lock)
    const order: string[] = []
    for (let job = board.next(1000); job; job = board.next(1000)) {
      order.push(formatPoints(job.points))
      job.status = 'crashed'
    }
    expect(order[0]).toBe(formatPoints(unlock.points))
    expect(order.indexOf('yield,lock,race:a@0.1')).toBeGreaterThan(order.indexOf('yield,race:a@0.1'))
  })

  it('makes the maximal set everywhere: what comes after a failure was not seen', () => {
    const board = new Board()
    board.foundBug(null)
    expect(formatPoints(board.maximal.points)).toBe('yield,everywhere')
    board.report(null, [both(alpha)])
    board.needRelease()
    expect(formatPoints(board.maximal.points)).toBe('yield,everywhere')
  })
})

it('tries a job once more when its worker died, from where it was written out, and then gives it up', () => {
  const board = new Board(paper)
  const [job] = board.jobs
  job.status = 'running'
  markCrashed(job, 'memory')
  expect(job.status).toBe('pending')
  job.status = 'running'
  markCrashed(job, 'memory')
  expect(job).toMatchObject({ status: 'crashed', reason: 'memory' })
  expect(board.next(100)).not.toBe(job)
})

describe('a proof', () => {
  const begun = {
    saved: { points: { kinds: ['everywhere'], races: [], rules: [] } } as never,
    eta: 5,
    share: 0,
  }
  const proving = (seconds: number, more: Partial<typeof noCounters> = {}) => {
    const board = new Board({ proof: true })
    const counters = { ...noCounters, executions: 100, seconds, ...more }
    expect(board.takeOver({ ...begun, counters, kindsSeen: 0 })).toBe(true)
    return { board, job: board.maximal }
  }

  it('is all there is to do', () => {
    const { board, job } = proving(1)
    expect(board.next(10)).toBe(job)
    job.status = 'running'
    expect(board.next(10)).toBe(null)
    board.complete(job)
    expect(board.isDone).toBe(true)
  })

  it('goes on while it may be done in time; the first estimates are not taken at their word', () => {
    const early = proving(1)
    early.job.eta = 60
    expect(early.board.reconsider(early.job, 10)).toBe(early.job)
    early.job.eta = 90
    expect(early.board.reconsider(early.job, 10)).not.toBe(early.job)
    const late = proving(10)
    late.job.eta = 19
    expect(late.board.reconsider(late.job, 10)).toBe(late.job)
    late.job.eta = 21
    expect(late.board.reconsider(late.job, 10)).not.toBe(late.job)
    expect(formatPoints(late.board.maximal.points)).toBe('yield,lock,unlock,sync,atomic')
  })

  it('is given up when an execution is cut: it would prove nothing', () => {
    const { board, job } = proving(1, { cut: 1 })
    expect(board.reconsider(job, 1000)).not.toBe(job)
    expect(board.isProving).toBe(false)
  })

  it('that does not split what has to be split begins anew', () => {
    const board = new Board({ proof: true })
    board.report(null, [both({ ...alpha, words: true })])
    expect(board.takeOver({ ...begun, counters: noCounters, kindsSeen: 0 })).toBe(false)
    expect(board.next(10)).toBe(board.maximal)
    expect(board.maximal.status).toBe('pending')
  })
})
