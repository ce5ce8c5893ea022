import { ranIn } from '../../runs/counters.js'
import type { Run } from '../../runs/run.js'
import { pointsText } from '../../runs/verdict.js'
import type { HistoryReport } from '../report.js'

/** How a run went, from its first moment to its last. */
export function historyReport({ history, seconds, counters, searches }: Run): HistoryReport {
  const ran = ranIn(counters)
  const last = history.moments.at(-1)
  const end = last?.ran === ran ? [] : [{ seconds, ran, share: null }]
  return {
    moments: [...history.moments, ...end],
    searches: searches.flatMap(({ title, strategy, points, status, hasBug }, i) => {
      const spans = history.spans.filter(({ search }) => search === searches[i])
      if (spans.length === 0) return []
      return [
        {
          title,
          strategy,
          points: pointsText(points),
          status,
          bug: hasBug,
          times: spans.map(({ from, to = seconds }) => [from, Math.max(from, to)] as const),
        },
      ]
    }),
  }
}
