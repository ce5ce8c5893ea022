import { type BugReport, type Report, reportFormat } from '../report.js'
import type { ReportWriter } from './writer.js'

/** What is printed, as `docs/report.schema.json` describes it. */
export interface JsonReport extends Omit<Report, 'stoppedByAssume'> {
  readonly format: typeof reportFormat
  readonly stopped: number
}

/** The report as one JSON object. */
function writeJson(report: Report): string {
  const { program, verdict, guarantee, bugs, stoppedByAssume, ...rest } = report
  const printed: JsonReport = {
    format: reportFormat,
    program,
    verdict,
    guarantee: guarantee === null ? null : wholeGuarantee(report),
    ...rest,
    stopped: stoppedByAssume,
    bugs,
  }
  return `${JSON.stringify(printed, null, 2)}\n`
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
  return `${JSON.stringify({ format: reportFormat, program: recipe.files.join(' '), verdict, ...shown }, null, 2)}\n`
}

export const jsonWriter: ReportWriter = {
  name: 'json',
  option: { flags: '--json', help: 'print one JSON object instead of text' },
  write: writeJson,
}
