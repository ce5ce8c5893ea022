import type { Report } from './report.js'

/** The report as one JSON object. Fields are only ever added. */
export function writeJson(report: Report): string {
  const { bugs, ...rest } = report
  return `${JSON.stringify(
    {
      ...rest,
      bugs: bugs.map(({ interleaving: _interleaving, source: _source, ...bug }) => bug),
      races: [],
    },
    null,
    2,
  )}\n`
}
