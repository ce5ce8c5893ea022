import { beforeAll, describe, expect, it } from 'vitest'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { endsOf } from './support.js'

describe('cancellation', () => {
  let artifact: Artifact
  beforeAll(async () => {
    artifact = await build({ sources: ['tests/c/cancel.c'] })
  })

  it.each<[what: string, number: number, ends: string[]]>([
    ['handlers run the latest first with the mutex held, then destructors', 1, ['ok -1 129']],
    ['a wait for a time ends so too, or was signalled, or late', 2, ['ok -1 1', 'ok -1 12', 'ok 0 1']],
    ['a wait for a permit is given up, or had it', 3, ['ok -1 3', 'ok 0 ']],
    ['a join is given up, and the thread can be joined still', 4, ['ok -1 ']],
    ['mutexes, barriers and what does not wait are no cancellation points', 5, ['ok 5 ']],
    ['nothing happens while it is disabled', 6, ['ok -1 67']],
    ['usleep', 7, ['ok -1 ', 'ok 7 ']],
    ['nanosleep', 8, ['ok -1 ', 'ok 8 ']],
    ['sleep', 9, ['ok -1 ', 'ok 9 ']],
    ['sem_timedwait', 10, ['ok -1 ', 'ok 10 ']],
    ['thrd_sleep', 11, ['ok -1 ', 'ok 11 ']],
    ['clock_nanosleep', 12, ['ok -1 ', 'ok 12 ']],
    ['a thread can ask itself', 13, ['ok -1 4']],
    ['handlers are not cancelled', 14, ['ok -1 ', 'ok 14 ']],
    ['neither is pthread_exit', 15, ['ok 15 ']],
    ['a spin that looks', 16, ['ok -1 ', 'ok 16 ']],
    ['a signal is not used up by a thread that is cancelled', 17, ['ok -1 -1', 'ok -1 17']],
    ['a thread that was joined is no thread', 18, ['ok 18 1']],
    ['a cancelled thread can be waited for', 19, ['ok 19']],
  ])('%s', async (_, number, ends) => {
    const machine = await wasmMachine(artifact, { args: [String(number)] })
    for (const points of ['everywhere', 'lock,unlock,sync']) {
      machine.usePoints(parsePoints(points))
      expect({ points, ends: endsOf(machine, { strategy: 'optimal' }) }).toEqual({ points, ends })
    }
  })

  it('leaves locked what no handler unlocks', async () => {
    const machine = await wasmMachine(artifact, { args: ['20'] })
    const ends = endsOf(machine, { strategy: 'optimal' })
    expect(ends).toContainEqual(expect.stringContaining('deadlock'))
  })
})
