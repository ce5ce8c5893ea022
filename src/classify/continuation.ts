import type { ChoicePoint } from '../execution/strategy.js'
import { optionOf, type Turn } from './turns.js'

/** How an execution goes on after two accesses were done. */
export interface Continuation {
  choose(point: ChoicePoint): number
}

/** Steps after which another thread gets a turn where nothing else decides. */
const quantum = 50

/** As it was, as far as that goes; then the running thread goes on, and all have their turn now and then. */
export function asBefore(turns: readonly Turn[]): Continuation {
  const queue = [...turns]
  const fair = inTurn()
  return {
    choose(point) {
      for (let i = 0; i < queue.length && i < 64; i++) {
        const { thread, value } = queue[i]
        const option = optionOf(point, thread, value)
        if (option < 0) continue
        queue.splice(i, 1)
        return option
      }
      return fair.choose(point)
    },
  }
}

/**
 * At random, but two executions with the same seed that are in like states choose alike: each thread has a number at each
 * step, and the largest of those that can run is taken.
 */
export function atRandom(seed: number): Continuation {
  let step = 0
  return {
    choose(point) {
      step++
      let best = 0
      let most = -1
      for (let i = 0; i < point.count; i++) {
        const number = mix(mix(mix(seed, step), point.thread[i]), point.value[i])
        if (number > most) {
          most = number
          best = i
        }
      }
      return best
    },
  }
}

function inTurn(): Continuation {
  let left = quantum
  return {
    choose(point) {
      if (point.stay >= 0 && !point.voluntary && --left > 0) return point.stay
      left = quantum
      for (let i = 0; i < point.count; i++) if (point.thread[i] > point.previous) return i
      return 0
    },
  }
}

/** A number from 0 to 2^32 - 1. */
function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35)
  h ^= h >>> 15
  h = Math.imul(h, 0x2c1b3c6d)
  h ^= h >>> 12
  h = Math.imul(h, 0x297a2d39)
  return (h ^ (h >>> 15)) >>> 0
}
