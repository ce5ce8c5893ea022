// Small libraries as people write them, each with a test, and the standards that both are checked under. Types are in
// libraries.d.ts.
import { fileURLToPath } from 'node:url'

export const librariesFolder = fileURLToPath(new URL('libraries', import.meta.url))

export const cxxStandards = ['c++11', 'c++14', 'c++17', 'c++20', 'c++23']
const cStandards = ['gnu99', 'c11', 'c17', 'c23']

/** `kinds`: what the bug that `-DBUG` puts in may be found as. */
export const libraries = [
  {
    name: 'future_pool',
    sources: ['future_pool_test.cpp'],
    standards: cxxStandards,
    kinds: ['deadlock'],
  },
  {
    name: 'signal_pool',
    sources: ['signal_pool_test.cpp', 'signal_pool.c'],
    standards: cxxStandards,
    kinds: ['lock-misuse'],
  },
  {
    name: 'lockfree_queue',
    sources: ['lockfree_queue_test.cpp'],
    standards: cxxStandards,
    kinds: ['assertion'],
  },
  {
    name: 'single_producer',
    sources: ['single_producer_test.cpp'],
    standards: cxxStandards,
    kinds: ['trap', 'assertion'],
  },
  { name: 'actors', sources: ['actors_test.cpp'], standards: cxxStandards, kinds: ['assertion'] },
  { name: 'lru_cache', sources: ['lru_cache_test.cpp'], standards: cxxStandards, kinds: ['assertion'] },
  {
    name: 'signal_pool',
    sources: ['signal_pool_test.c', 'signal_pool.c'],
    standards: cStandards,
    kinds: ['lock-misuse'],
  },
]

/** What is wrong with a report on a library, as it is or with its bug; null if nothing is. */
export function judge(report, kinds) {
  if (report.error) return `does not run: ${report.error.split('\n')[0]}`
  const [bug] = report.bugs
  if (kinds === undefined) {
    if (bug !== undefined) return `false alarm: ${bug.kind}, ${bug.message}`
    return report.verdict === 'verified' ? null : `is not verified: ${report.verdict}`
  }
  if (bug === undefined) return `its bug was not found: ${report.verdict}`
  return kinds.includes(bug.kind) ? null : `found as ${bug.kind}, which it is not`
}
