import type { Outlook } from '../../estimators/index.js'
import { defaultMaxSteps } from '../../execution/runner.js'
import type { Machine } from '../../machine/machine.js'
import { addPoints } from '../../machine/points.js'
import { addCounters, type Counters, noCounters, pickCounters, ranIn } from '../counters.js'
import type { SearchPlan, StopReason } from '../search.js'
import type { SavedSearch } from '../search-state.js'
import { Division, type Voice } from './division.js'
import type { Assignment, Findings, PartSaid, WorkerMessage } from './messages.js'
import { Progress } from './progress.js'
import { Shares } from './shares.js'
import { type Stream, Streams } from './streams.js'
import { sumFindings } from './sum-findings.js'
import type { SearchWorker } from './worker.js'

/** How long one worker explores alone before a search is divided: by then it is known how long executions are. */
const aloneMs = 200
const tellMs = 100
/** Workers that may be lost on one search. */
const mostLosses = 3

/** A worker of the crew, and what it does: the whole search, a part, or a stream of samples. */
interface Hand {
  worker: SearchWorker
  isReady: boolean
  /** Of its assignment, or -1. */
  id: number
  voice: Voice | null
  stream: Stream | null
  /** What its assignment has shown; and what it had when it was last kept, which stands if the worker is lost. */
  findings: Findings | null
  kept: Findings | null
}

/** An assignment of the crew's. */
interface Task {
  readonly assignment: Assignment
  division: Division | null
  progress: Progress | null
  /** Of a sampler, or of a search whose parts have nothing to do with each other. */
  readonly streams: Streams | Shares | null
  /** When somebody may be asked next to share what is left. */
  shareAt: number
  shareEvery: number
  /** May be divided, as far as is known. */
  isDivisible: boolean
  /** Of assignments of hands that are over. */
  readonly over: Findings[]
  /** Why it is to end; undefined as long as it is not. */
  stopping?: StopReason | undefined
  /** Where it goes on when all hands have stopped. */
  restart?: Pick<Assignment, 'plan' | 'saved'> | undefined
  losses: number
  writtenAt: number
  keeps: boolean
}

function dealing(plan: SearchPlan, saved: SavedSearch | null): Streams | Shares | null {
  if (Streams.isPossible(plan)) return new Streams(plan, saved)
  return Shares.isPossible(plan, saved) ? new Shares(plan, saved) : null
}

/** Several workers as one: a search that can be divided, or samples, are done by all of them, any other by the first. */
export function crewWorker(
  spawn: (name: string) => SearchWorker,
  count: number,
  machine: Machine,
): SearchWorker {
  const hands: Hand[] = []
  let task: Task | null = null
  let assignments = 0
  let isClosed = false
  let hasSaidReady = false
  const crew: SearchWorker = {
    name: `${count} workers`,
    onMessage: () => {},
    onLost: () => {},
    assign(assignment) {
      const { plan, saved, share } = assignment
      task = {
        assignment,
        division: null,
        progress: null,
        streams: dealing(plan, saved),
        shareAt: performance.now() + aloneMs,
        shareEvery: tellMs,
        isDivisible: Division.isPossible(plan, saved),
        over: [],
        losses: 0,
        writtenAt: performance.now(),
        keeps: false,
      }
      begin({ plan, saved, ...(share ? { share } : {}) })
    },
    suspend(id) {
      if (task?.assignment.id === id) stop('interrupted')
    },
    answer() {},
    close() {
      isClosed = true
      clearInterval(timer)
      for (const hand of hands) hand.worker.close()
    },
  }
  const timer = setInterval(tell, tellMs)
  timer.unref()

  /** A search that was divided, or can be now, is; otherwise the first hand begins it. */
  function begin({ plan, saved, share }: Pick<Assignment, 'plan' | 'saved' | 'share'>): void {
    const { assignment, isDivisible, streams } = task!
    if (streams !== null) {
      giveParts()
      return
    }
    if (saved && (isDivisible || saved.state.divided)) {
      const division = new Division(plan, saved)
      task!.division = division
      task!.progress = new Progress(() => division.share, share)
      goOn()
      return
    }
    const [first] = hands
    give(first, { ...assignment, plan, saved })
    if (!isDivisible) return
    const { id } = first
    setTimeout(() => {
      if (first.id === id) first.worker.suspend(id)
    }, aloneMs).unref()
  }

  function give(hand: Hand, assignment: Assignment): void {
    hand.id = ++assignments
    hand.findings = hand.kept = null
    hand.worker.assign({ ...assignment, id: hand.id })
  }

  function giveParts(): void {
    const { division, streams, assignment, stopping, restart } = task!
    if (stopping !== undefined || restart !== undefined) return
    for (const hand of hands) {
      if (!hand.isReady || hand.id >= 0) continue
      if (streams !== null) {
        const next = streams.take(count)
        if (next === null) return
        hand.stream = next.stream
        give(hand, { ...assignment, plan: next.plan, saved: next.stream.saved })
        continue
      }
      if (division === null) return
      const next = division.take()
      if (next === null) return
      hand.voice = next.voice
      const plan = { ...assignment.plan, points: division.points, selfCheck: 0 }
      give(hand, { ...assignment, plan, saved: null, saveEvery: null, patience: null, part: next.assignment })
    }
  }

  /**
   * Gives idle hands what there is to do. Looking for it may show that all that is left is beyond the bound: then, as when
   * the last part is done, the next round begins, or the search ends.
   */
  function goOn(): void {
    giveParts()
    const { division, restart, assignment } = task!
    if (!division?.isDone || restart !== undefined) return
    if (division.nextRound(assignment.plan.maxSteps ?? defaultMaxSteps)) giveParts()
    else finish('exhausted', null)
  }

  function stop(reason: StopReason): void {
    task!.stopping ??= reason
    stopHands()
  }

  function stopHands(): void {
    for (const hand of hands) if (hand.id >= 0) hand.worker.suspend(hand.id)
    ifAllStopped()
  }

  function receive(hand: Hand, message: WorkerMessage): void {
    if (isClosed) return
    if (message.kind === 'refused') crew.onMessage(message)
    else if (message.kind === 'ready') {
      hand.isReady = true
      if (task) goOn()
      if (!hasSaidReady && hand === hands[0]) {
        hasSaidReady = true
        crew.onMessage(message)
      }
    } else if (task !== null && message.id === hand.id) {
      // These are told only where there is something new, and what a part says is not passed on at once.
      const { races = hand.findings?.races, confirmed = hand.findings?.confirmed } = message.findings
      hand.findings = {
        ...message.findings,
        ...(races ? { races } : {}),
        ...(confirmed ? { confirmed } : {}),
      }
      if (message.kind === 'part') heard(hand, message.said)
      else if (message.kind === 'ended') ended(hand, message)
      else if (message.saved && hand.stream === null) task.writtenAt = performance.now()
      if (message.kind === 'progress' && hand.stream !== null) {
        // Told with what the others have drawn: see `tell`.
        if (message.saved) {
          hand.stream.saved = message.saved
          hand.kept = hand.findings
        }
      } else if (message.kind === 'progress') {
        const { saved } = message
        crew.onMessage({
          kind: 'progress',
          id: task.assignment.id,
          findings: shown(),
          ...(saved ? { saved: { ...saved, counters: countersSoFar() } } : {}),
        })
      }
    }
  }

  function heard(hand: Hand, said: PartSaid): void {
    const { division, keeps } = task!
    const answer = division!.hear(hand.voice!, said, false)
    if (said.report.kept) hand.kept = hand.findings
    if (said.long.length > 0) beginAnew(said.long)
    giveParts()
    const isAsked = hands.some((h) => h.isReady && h.id < 0)
    hand.worker.answer({ ...answer, id: hand.id, isAsked, keeps: keeps && hand.kept !== hand.findings })
  }

  /** Accesses must be split, or watched for: nothing of what was explored stands. */
  function beginAnew(long: PartSaid['long']): void {
    const { division, assignment } = task!
    if (task!.restart) return
    if (long === 'watch') task!.isDivisible = false
    const points = long === 'watch' ? division!.points : addPoints(division!.points, { races: long })
    task!.restart = { plan: { ...assignment.plan, points, selfCheck: 0 }, saved: null }
    stopHands()
  }

  function divide(shares: Shares, share: Stream, stopped: StopReason): void {
    const idle = hands.filter((hand) => hand.isReady && hand.id < 0).length
    const isWanted = task!.stopping === undefined && idle > 0
    const parts = shares.ended(share, stopped, isWanted ? idle + 1 : 1)
    // There may be nothing to divide for a while.
    task!.shareEvery = parts === 1 ? 2 * task!.shareEvery : tellMs
    task!.shareAt = performance.now() + task!.shareEvery
  }

  /** Somebody has nothing to do: somebody else stops, so that what is left can be divided. */
  function share(shares: Shares): void {
    if (!shares.isAllTaken || performance.now() < task!.shareAt) return
    if (!hands.some((hand) => hand.isReady && hand.id < 0)) return
    const giving = hands.find((hand) => hand.stream !== null)
    if (giving === undefined) return
    task!.shareAt = Infinity
    giving.worker.suspend(giving.id)
  }

  function streamEnded(
    hand: Hand,
    stream: Stream,
    { stopped, saved, findings }: Extract<WorkerMessage, { kind: 'ended' }>,
  ): void {
    const { streams } = task!
    stream.saved = saved
    if (streams instanceof Shares) divide(streams, stream, stopped)
    else streams!.leave(stream, ranIn(findings.counters))
    task!.over.push(hand.findings!)
    Object.assign(hand, { id: -1, stream: null, findings: null, kept: null })
    const isPartDone = streams instanceof Shares && stopped === 'exhausted'
    if (stopped !== 'executions' && stopped !== 'interrupted' && !isPartDone) stop(stopped)
    else if (streams!.isDone && task!.stopping === undefined)
      finish(isPartDone ? stopped : 'executions', isPartDone ? null : written())
    else {
      giveParts()
      ifAllStopped()
    }
  }

  function ended(hand: Hand, message: Extract<WorkerMessage, { kind: 'ended' }>): void {
    if (hand.stream !== null) {
      streamEnded(hand, hand.stream, message)
      return
    }
    const { division, assignment } = task!
    const { stopped, said } = message
    const { voice } = hand
    // Without its state it is explored again from where it was last kept.
    const isKept = voice === null || stopped === 'exhausted' || said?.report.kept !== undefined
    const stands = isKept ? hand.findings : hand.kept
    if (stands !== null) task!.over.push(stands)
    hand.id = -1
    hand.voice = hand.findings = null
    if (voice === null) {
      // The whole search, alone.
      if (stopped === 'interrupted' && task!.stopping === undefined && message.saved) {
        const share = message.findings.outlook?.share
        begin({ plan: assignment.plan, saved: message.saved, ...(share ? { share } : {}) })
      } else finish(stopped, message.saved)
      return
    }
    const isDone = stopped === 'exhausted'
    if (said) division!.hear(voice, said, isDone)
    if (said && said.long.length > 0) beginAnew(said.long)
    if (!isDone) division!.drop(voice)
    if (!isDone && stopped !== 'interrupted') stop(stopped)
    goOn()
    ifAllStopped()
  }

  function ifAllStopped(): void {
    if (task === null || hands.some((hand) => hand.id >= 0)) return
    const { stopping, restart, division, streams } = task
    if (stopping !== undefined) finish(stopping, division || streams ? written() : null)
    else if (restart !== undefined) {
      task.restart = undefined
      task.division = task.progress = null
      begin(restart)
    }
  }

  function finish(stopped: StopReason, saved: SavedSearch | null): void {
    const { assignment } = task!
    const findings = shown()
    const counters = countersSoFar()
    task = null
    crew.onMessage({
      kind: 'ended',
      id: assignment.id,
      stopped,
      findings,
      saved: saved && { ...saved, counters },
    })
  }

  /** Of the search since its beginning; of parts, what was kept. */
  function countersSoFar(isKept = false): Counters {
    const before = task!.assignment.saved?.counters ?? noCounters
    return pickCounters(addCounters(before, shown(isKept).counters))
  }

  /** What was shown since the crew was given the search. */
  function shown(isKept = false): Findings {
    const { over, division, assignment } = task!
    const under = hands
      .map((hand) => (isKept && (hand.voice || hand.stream) ? hand.kept : hand.findings))
      .filter((f) => f !== null)
    const all = sumFindings(machine, [...over, ...under], assignment.plan.strategy)
    const last = under.at(-1) ?? over.at(-1)
    const completedBound = division ? division.completedBound : last?.completedBound
    const outlook = outlookWith(all.counters)
    return {
      ...all,
      ...(outlook ? { outlook } : {}),
      ...(completedBound === undefined
        ? {}
        : { completedBound: completedBound === Infinity ? null : completedBound }),
    }
  }

  /** What is still to come of a search that is divided. */
  function outlookWith(shown: Counters): Outlook | undefined {
    const { assignment, progress } = task!
    const share = progress?.share()
    if (share === undefined) return undefined
    const counters = addCounters(assignment.saved?.counters ?? noCounters, shown)
    const seen = ranIn(counters)
    return {
      executions: seen / share,
      share,
      secondsLeft: (counters.seconds * (1 / share - 1)) / count,
      seen,
    }
  }

  /** The search with all its parts, as they were last kept. */
  function written(): SavedSearch {
    const { division, streams, assignment } = task!
    return {
      points: division?.points ?? assignment.plan.points,
      counters: countersSoFar(true),
      threads: [],
      locations: [],
      state: (division ?? streams)!.save(),
      forecast: null,
    }
  }

  function tell(): void {
    if (task === null || task.stopping !== undefined) return
    if (task.division === null && task.streams === null) return
    if (task.streams instanceof Shares) share(task.streams)
    const { assignment, writtenAt } = task
    const { saveEvery } = assignment
    const isDue = saveEvery !== null && performance.now() - writtenAt >= 1000 * saveEvery
    // Parts are asked a little before, so that what is written is fresh.
    task.keeps = saveEvery !== null && performance.now() - writtenAt >= 1000 * saveEvery - 3 * tellMs
    if (isDue) task.writtenAt = performance.now()
    crew.onMessage({
      kind: 'progress',
      id: assignment.id,
      findings: shown(),
      ...(isDue ? { saved: written() } : {}),
    })
  }

  function lost(hand: Hand, reason: string): void {
    if (isClosed) return
    const { voice, stream } = hand
    if (task === null || (voice ?? stream) === null || ++task.losses > mostLosses) {
      isClosed = true
      for (const other of hands) if (other !== hand) other.worker.close()
      crew.onLost(reason)
      return
    }
    if (hand.kept) task.over.push(hand.kept)
    if (voice) task.division!.drop(voice)
    if (stream) task.streams!.leave(stream, hand.kept ? ranIn(hand.kept.counters) : 0)
    task.shareAt = performance.now()
    Object.assign(hand, { id: -1, voice: null, stream: null, findings: null, kept: null, isReady: false })
    takeOn(hand, spawn(hand.worker.name))
    goOn()
    ifAllStopped()
  }

  function takeOn(hand: Hand, worker: SearchWorker): void {
    hand.worker = worker
    worker.onMessage = (message) => receive(hand, message)
    worker.onLost = (reason) => lost(hand, reason)
  }

  for (let i = 0; i < count; i++) {
    const worker = spawn(`worker ${i + 1}`)
    const hand: Hand = {
      worker,
      isReady: false,
      id: -1,
      voice: null,
      stream: null,
      findings: null,
      kept: null,
    }
    hands.push(hand)
    takeOn(hand, worker)
  }
  return crew
}
