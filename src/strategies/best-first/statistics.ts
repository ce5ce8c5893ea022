import { formatBytes, grouped } from '../../words/words.js'
import type { StrategyStatistics } from '../registry.js'
import { treeOf } from './best-first.js'

/** How large the tree of executions was, and what it took. */
export const treeStatistics: StrategyStatistics = {
  name: 'tree',
  read(strategy) {
    const tree = treeOf(strategy)
    if (tree === undefined) return undefined
    const { created, live, peak, bytesPerNode, bytes, spilled } = tree
    return { created, live, peak, bytesPerNode, bytes, spilled }
  },
  text(data) {
    const { peak, live, bytes, spilled } = data as Record<string, number>
    const left = live > 0 ? `, ${grouped(live)} left` : ''
    const disk = spilled > 0 ? `, ${grouped(spilled)} of them on disk for a while` : ''
    return `At most ${grouped(peak)} nodes in the tree${left}${disk}; ${formatBytes(bytes)} in memory.`
  },
}
