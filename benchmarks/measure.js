// CPU time, never wall time: other work on the machine must not count.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** CPU nanoseconds of this process. */
export function cpuNanoseconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

/**
 * Measures functions side by side: rounds go through all of them, so that what disturbs one disturbs all. Each
 * function does some work and returns how many units; the result is the median of nanoseconds per unit, by name.
 */
export function compare(subjects, { rounds = 9, warmUp = 2 } = {}) {
  const samples = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]))
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, work] of Object.entries(subjects)) {
      const start = cpuNanoseconds()
      const units = work()
      const spent = cpuNanoseconds() - start
      if (round >= 0) samples[name].push(spent / units)
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]))
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

let collect

/** Bytes of JavaScript heap and array buffers in use after a collection. */
export function memoryInUse() {
  if (!collect) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc')
  }
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

export function table(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)))
  for (const row of rows) {
    console.log(
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
    )
  }
}

/** 1234567 → 1 234 567 */
export function grouped(n) {
  return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ' ')
}
