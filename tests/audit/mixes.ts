import { loop } from '../../src/frontends/model/build.js'
import type { Draw } from '../support/draw.js'
import {
  atomics,
  bareTrylock,
  checkedLoad,
  chooses,
  choosesAndBranches,
  choosesAndFails,
  countsDown,
  countsUp,
  ends,
  type Fragment,
  fails,
  loads,
  lockSection,
  locksInTransaction,
  meet,
  meetInReadSection,
  nestedReads,
  pauses,
  post,
  prints,
  readSection,
  readsAndBranches,
  semaphoreSection,
  setsAndTells,
  spinsOn,
  spinsOnTrylock,
  spinsOnUpdate,
  startsAndJoins,
  stores,
  storesChosen,
  take,
  takeInLock,
  tells,
  timedSection,
  timedTake,
  timedWaits,
  transacts,
  transactsAndBranches,
  transactsInLock,
  transactsUntil,
  tryReadSection,
  trySection,
  tryTake,
  tryWriteSection,
  twoLocks,
  update,
  updateAndBranch,
  waits,
  waitsFor,
  writeSection,
} from '../support/fragments.js'

/**
 * What the programs of a mix are made of. A mix dwells on one primitive or a pair: what goes wrong shows where several
 * threads use the same one at once, which programs that may use anything seldom do.
 */
export interface Mix {
  readonly name: string
  readonly fragments: readonly (readonly [weight: number, fragment: Fragment])[]
  /** Of ten programs, how many have each. */
  readonly invariant?: number
  readonly atEnd?: number
  readonly spurious?: number
  /** Readers wait for waiting writers. */
  readonly preferWriters?: boolean
  readonly family?: number
  readonly compareOutputs?: number
  /** Why transactions abort. */
  readonly abortCodes?: string
}

export const mixes: readonly Mix[] = [
  {
    name: 'branching steps',
    fragments: [
      [5, readsAndBranches],
      [2, choosesAndBranches],
      [4, pauses],
      [1, update],
      [1, lockSection],
    ],
  },
  {
    name: 'memory',
    fragments: [
      [3, loads],
      [4, stores],
      [1, checkedLoad],
    ],
    atEnd: 3,
    invariant: 2,
  },
  {
    name: 'rwlock',
    fragments: [
      [4, readSection],
      [3, writeSection],
      [1, stores],
      [1, checkedLoad],
    ],
    atEnd: 2,
  },
  {
    name: 'rwlock+barrier',
    fragments: [
      [2, readSection],
      [2, writeSection],
      [4, meetInReadSection],
      [2, meet],
      [1, checkedLoad],
    ],
  },
  {
    name: 'try-rwlock',
    fragments: [
      [2, readSection],
      [2, writeSection],
      [2, tryReadSection],
      [3, tryWriteSection],
      [1, stores],
    ],
  },
  {
    name: 'waiting-writers',
    fragments: [
      [3, readSection],
      [4, writeSection],
      [2, nestedReads],
      [1, tryReadSection],
      [1, tryWriteSection],
      [1, stores],
      [1, checkedLoad],
    ],
    preferWriters: true,
    atEnd: 2,
  },
  {
    name: 'trylock+invariant',
    fragments: [
      [3, bareTrylock],
      [2, trySection],
      [1, lockSection],
      [3, stores],
      [2, atomics],
    ],
    invariant: 8,
  },
  {
    name: 'mutex',
    fragments: [
      [5, lockSection],
      [2, twoLocks],
      [2, loads],
      [2, stores],
      [1, checkedLoad],
    ],
  },
  {
    name: 'semaphore+mutex',
    fragments: [
      [3, post],
      [2, take],
      [2, takeInLock],
      [3, lockSection],
      [1, tryTake],
      [1, stores],
      [1, checkedLoad],
    ],
  },
  {
    name: 'semaphore',
    fragments: [
      [4, post],
      [4, take],
      [2, tryTake],
      [2, semaphoreSection],
      [1, timedTake],
      [1, checkedLoad],
    ],
  },
  {
    name: 'choose+failure',
    fragments: [
      [2, chooses],
      [2, choosesAndFails],
      [1, choosesAndBranches],
      [1, storesChosen],
      [1, fails],
      [3, checkedLoad],
      [3, stores],
      [1, loads],
    ],
    atEnd: 3,
  },
  {
    name: 'spin+update',
    fragments: [
      [3, spinsOn],
      [2, spinsOnUpdate],
      [4, update],
      [1, stores],
    ],
  },
  {
    name: 'spin+lock',
    fragments: [
      [3, spinsOnTrylock],
      [2, spinsOn],
      [2, lockSection],
      [3, stores],
      [1, pauses],
    ],
  },
  {
    name: 'update',
    fragments: [
      [6, update],
      [2, updateAndBranch],
      [1, loads],
    ],
    atEnd: 1,
  },
  {
    name: 'update+invariant',
    fragments: [
      [4, atomics],
      [2, update],
      [1, stores],
      [1, loads],
    ],
    invariant: 8,
    atEnd: 1,
  },
  {
    name: 'update+rwlock',
    fragments: [
      [4, update],
      [2, updateAndBranch],
      [1, writeSection],
      [1, readSection],
    ],
  },
  {
    name: 'condition',
    fragments: [
      [3, waits],
      [2, waitsFor],
      [3, tells],
      [2, setsAndTells],
      [1, lockSection],
    ],
  },
  {
    name: 'condition+time',
    fragments: [
      [2, waits],
      [3, timedWaits],
      [3, tells],
      [1, setsAndTells],
      [1, timedSection],
    ],
    spurious: 5,
  },
  {
    name: 'barrier',
    fragments: [
      [5, meet],
      [2, stores],
      [1, loads],
      [1, checkedLoad],
      [1, lockSection],
    ],
    atEnd: 2,
  },
  {
    name: 'latch',
    fragments: [
      [4, countsDown],
      [2, countsUp],
      [2, take],
      [1, spinsOn],
      [1, checkedLoad],
    ],
  },
  {
    name: 'failure+blocking',
    fragments: [
      [2, checkedLoad],
      [1, fails],
      [2, stores],
      [2, lockSection],
      [1, take],
      [1, post],
      [1, meet],
      [1, twoLocks],
      [1, writeSection],
    ],
    atEnd: 2,
  },
  {
    name: 'family',
    fragments: [
      [3, stores],
      [3, loads],
      [1, checkedLoad],
      [2, lockSection],
      [2, startsAndJoins],
      [1, ends],
      [1, fails],
    ],
    family: 10,
  },
  {
    name: 'timed',
    fragments: [
      [3, timedSection],
      [2, timedTake],
      [1, post],
      [2, lockSection],
      [1, stores],
      [1, checkedLoad],
    ],
  },
  {
    name: 'output',
    fragments: [
      [4, prints],
      [2, loads],
      [2, stores],
      [1, lockSection],
      [1, chooses],
    ],
    compareOutputs: 7,
  },
  {
    name: 'transaction',
    fragments: [
      [6, transacts],
      [3, transactsAndBranches],
      [1, transactsInLock],
      [1, locksInTransaction],
      [1, transactsUntil],
      [2, stores],
      [1, loads],
      [1, lockSection],
    ],
    invariant: 1,
    atEnd: 2,
  },
  {
    name: 'transaction+conflict',
    fragments: [
      [6, transacts],
      [3, transactsAndBranches],
      [1, transactsInLock],
      [1, locksInTransaction],
      [1, transactsUntil],
      [1, lockSection],
      [3, stores],
      [2, update],
      [1, loads],
    ],
    abortCodes: 'conflict',
    atEnd: 2,
  },
  {
    name: 'everything',
    fragments: [
      loads,
      stores,
      atomics,
      update,
      checkedLoad,
      fails,
      chooses,
      lockSection,
      trySection,
      readSection,
      writeSection,
      tryWriteSection,
      meet,
      post,
      take,
      tryTake,
      waits,
      tells,
      timedSection,
      spinsOn,
      spinsOnTrylock,
      pauses,
      prints,
      (d: Draw) => [loop(2, stores(d))],
      transacts,
    ].map((f) => [1, f] as const),
    invariant: 2,
    atEnd: 2,
    spurious: 2,
    family: 3,
  },
]
