import type { Report } from './report.js'

/** The report as one JSON object. Fields are only ever added. */
export function writeJson(report: Report): string {
  const { program, verdict, guarantee, bugs, ...rest } = report
  return `${JSON.stringify(
    {
      program,
      verdict,
      guarantee: guarantee === null ? null : wholeGuarantee(report),
      ...rest,
      bugs: bugs.map(({ interleaving: _interleaving, source: _source, ...bug }) => bug),
      races: [],
    },
    null,
    2,
  )}\n`
}

/** The guarantee with its scope and all that weakens it, in one text. */
function wholeGuarantee({ guarantee, scope, caveats }: Report): string {
  return [guarantee, `holds for ${scope.join(', ')}`, ...caveats.map((c) => `but ${c}`)].join('; ')
}
