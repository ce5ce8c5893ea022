import type { BugReport, Report, Walk, WalkEdge, WalkStep } from '../../src/reports/report.js'

const source = `#include <assert.h>
// Adds one, without a lock.
void *work(void *arg) {
  counter++;
  return arg;
}
int main(void) {
  assert(counter == 2);
}
`

interface Sample {
  readonly threads?: number
  readonly steps?: number
  /** Steps of one thread at a time. */
  readonly run?: number
  readonly output?: string
  /** Put into every name. */
  readonly name?: string
}

/** A report of a failing run, with as many threads and steps as wanted: threads take turns at one counter. */
export function sampleReport(sample: Sample = {}): Report {
  const walk = sampleWalk(sample)
  return {
    ...passingReport(),
    verdict: 'bug',
    guarantee: null,
    bugs: [sampleBug(walk, sample)],
    files: [{ file: 'counter.c', path: '/home/me/counter.c', text: source }],
  }
}

export function passingReport(): Report {
  return {
    program: 'counter.c',
    verdict: 'verified',
    guarantee: 'every schedule was explored; none shows a bug',
    scope: ['sequential consistency', 'compiled at -O0'],
    caveats: [],
    strategy: 'auto',
    points: 'yield,everywhere',
    seed: 1,
    keepGoing: false,
    executions: 12,
    blocked: 3,
    postponed: 0,
    stoppedByAssume: 0,
    unfinished: 0,
    unfinishedThreads: [],
    ignored: {},
    cut: 0,
    cutEarly: 0,
    steps: 369,
    seconds: 0.08,
    phases: [{ strategy: 'optimal', executions: 12, blocked: 3, seconds: 0.08 }],
    outlook: null,
    statistics: {},
    problems: [],
    bugs: [],
    raceDetector: 'pure',
    races: [],
    history: {
      moments: [0, 0.02, 0.04, 0.06, 0.08].map((seconds, i) => ({ seconds, ran: i * 3 + 3, share: i / 4 })),
      searches: ['optimal', 'pos'].map((strategy, i) => ({
        title: 'sampling',
        strategy,
        points: 'yield,everywhere',
        status: 'complete',
        bug: false,
        times: [[i * 0.04, i * 0.04 + 0.04]],
      })),
    },
    sketch: {
      strategy: 'optimal',
      threads: ['main', 'work (0.1)'],
      executions: [
        {
          parent: -1,
          common: 0,
          turns: [
            [0, 2],
            [1, 3],
            [0, 1],
          ],
          steps: 6,
          end: 'passed',
        },
        {
          parent: 0,
          common: 2,
          turns: [
            [0, 1],
            [1, 3],
          ],
          steps: 6,
          end: 'passed',
        },
        { parent: 1, common: 3, turns: [[1, 1]], steps: 4, end: 'redundant' },
      ],
      isWhole: true,
    },
  }
}

function sampleWalk({ threads = 3, steps = 24, run = 4, name = '' }: Sample): Walk {
  const names = Array.from({ length: threads }, (_, t) => (t === 0 ? 'main' : `work (0.${t})${name}`))
  const all: WalkStep[] = []
  const edges: WalkEdge[] = []
  for (let i = 0; i < steps; i++) {
    const thread = Math.floor(i / run) % threads
    const isSwitch = i > 0 && i % run === 0
    const isLast = i === steps - 1
    const isWrite = i % 2 === 1
    all.push({
      thread,
      operation: isLast ? 'assertion counter == 2 failed' : isWrite ? 'write' : 'read',
      object: isLast ? '' : i % 7 === 3 ? `other${name}` : `counter${name}`,
      file: 'counter.c',
      line: isLast ? 8 : 4,
      location: `counter.c:${isLast ? 8 : 4}`,
      value: isLast ? null : String(i >> 1),
      before: null,
      switched: isSwitch
        ? {
            reason: `${names[all[i - 1].thread]} is preempted`,
            isPreemption: true,
            point: 'access',
            next: `read counter${name}`,
            conflict: i + 1 < steps - 1 ? i + 1 : null,
          }
        : null,
      failed: isLast,
      isPrivate: i % 11 === 5,
      stack: 0,
      locks: i % run === 0 ? [] : [`mutex m${name}`],
      event: isLast ? null : i,
    })
    if (isSwitch) edges.push({ from: i - 1, to: i, kind: 'memory' })
  }
  return { threads: names, steps: all, stacks: [[{ function: 'work', location: 'counter.c:4' }]], edges }
}

function sampleBug(walk: Walk, { output = '', name = '' }: Sample): BugReport {
  const told = (step: number, role: 'before' | 'between' | 'after') =>
    ({
      role,
      thread: walk.threads[walk.steps[step].thread],
      operation: walk.steps[step].operation,
      object: walk.steps[step].object,
      location: 'counter.c:4',
      function: 'work',
      step,
      happened: true,
    }) as const
  return {
    kind: 'assertion',
    message: `assertion counter == 2 failed${name}`,
    location: 'counter.c:8',
    function: 'main',
    thread: '0',
    threadLabel: 'main',
    preemptions: 5,
    minimality: 'proven',
    foundPreemptions: 7,
    deterministic: false,
    execution: 12,
    count: 1,
    strategy: 'optimal',
    schedule: `.faultline/counter${name}.json`,
    output,
    explanation: {
      kind: 'between',
      text: `Fails because work (0.2) writes counter between the read of work (0.1) and its write.${name}`,
      steps: [told(6, 'before'), told(9, 'between'), told(14, 'after')],
    },
    stacks: [],
    interleaving: { threads: walk.threads, stretches: [] },
    walk,
    passing: {
      walk: {
        ...walk,
        steps: walk.steps.slice(0, -1).map((step, i) => (i < 8 ? step : { ...step, value: '9' })),
      },
      common: 8,
      output: '',
    },
    waits: [],
    source: [],
  }
}
