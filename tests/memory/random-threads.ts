import type { Random } from '../../src/random/random.js'
import { parseThreads, type Threads } from './litmus-text.js'

const storeOrders = ['rlx', 'rlx', 'rel', 'sc']
const loadOrders = ['rlx', 'rlx', 'acq', 'sc']
const updateOrders = ['rlx', 'acq', 'rel', 'ar', 'sc']
const fenceOrders = ['acq', 'rel', 'ar', 'sc', 'sc']

export interface RandomSettings {
  readonly random: Random
  /** Accesses in all, about. */
  readonly size: number
  /** Some accesses are not atomic. */
  readonly plain?: boolean
  /** Some threads lock a mutex; unless false. */
  readonly locks?: boolean
}

/** Two to four threads without branches on two locations, some with updates, fences, or a lock. */
export function randomThreads({ random, size, plain = false, locks = true }: RandomSettings): Threads {
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]
  const threads = 2 + (random.below(10) < 6 ? 0 : 1 + random.below(2))
  const code: string[][] = Array.from({ length: threads }, () => [])
  const hasLock = locks && random.below(6) === 0
  let value = 0
  const access = (thread: number): string => {
    const at = pick(['x', 'y'])
    const into = `r${code[thread].length}`
    const isPlain = plain && random.below(4) === 0
    switch (random.below(10)) {
      case 0:
        return `fence.${pick(fenceOrders)}`
      case 1:
        return `${into}=add(${at},1).${pick(updateOrders)}`
      case 2:
        return `${into}=cas(${at},0,${++value + 10}).${pick(updateOrders)}/${pick(loadOrders)}`
      case 3:
      case 4:
      case 5:
      case 6:
        return `${at}=${++value}.${isPlain ? 'na' : pick(storeOrders)}`
      default:
        return `${into}=${at}.${isPlain ? 'na' : pick(loadOrders)}`
    }
  }
  for (let i = 0; i < size; i++) {
    const thread = i < threads ? i : random.below(threads)
    code[thread].push(access(thread))
  }
  if (hasLock) for (const lines of code.slice(0, 2)) enclose(lines, random)
  return parseThreads(code.map((lines) => lines.join('; ')))
}

function enclose(lines: string[], random: Random): void {
  const from = random.below(lines.length + 1)
  const to = from + random.below(lines.length - from + 1)
  lines.splice(to, 0, 'unlock m')
  lines.splice(from, 0, 'lock m')
}
