import type { BugReport, Report } from './report.js'

/** The report as one JSON object, as `docs/report.schema.json` describes it. Fields are only ever added. */
export function writeJson(report: Report): string {
  const { program, verdict, guarantee, bugs, stoppedByAssume, ...rest } = report
  return `${JSON.stringify(
    {
      program,
      verdict,
      guarantee: guarantee === null ? null : wholeGuarantee(report),
      ...rest,
      stopped: stoppedByAssume,
      bugs,
    },
    null,
    2,
  )}\n`
}

/** The guarantee with its scope and all that weakens it, in one text. */
function wholeGuarantee({ guarantee, scope, caveats }: Report): string {
  return [guarantee, `holds for ${scope.join(', ')}`, ...caveats.map((c) => `but ${c}`)].join('; ')
}

/** What a replay showed, as `replay` in `docs/report.schema.json` describes it. */
export function writeReplayJson(
  { recipe }: { readonly recipe: { readonly files: readonly string[] } },
  shown: {
    readonly bugs: readonly BugReport[]
    readonly reproduced: boolean
    readonly [more: string]: unknown
  },
): string {
  const verdict = shown.bugs.length > 0 ? 'bug' : 'bounded'
  return `${JSON.stringify({ program: recipe.files.join(' '), verdict, ...shown }, null, 2)}\n`
}
