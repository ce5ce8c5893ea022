import type { BugReport, Report } from '../report.js'
import { bugText, whereText } from './bug-text.js'
import { painter } from './paint.js'
import { quoted } from './text.js'
import type { ReportWriter, WriterOptions } from './writer.js'

const width = 100

/**
 * JUnit's XML, as Jenkins and others read it: a suite for the program, a failed case for each bug, and a case for the
 * question whether all was explored, which is skipped, not passed, where that is not so.
 */
function writeJUnit(report: Report, { command }: WriterOptions): string {
  const { program, bugs, verdict, seconds } = report
  const failures = bugs.map((bug) => failedCase(report, bug, command))
  const passed = bugs.length === 0 ? [testCase(program, 'no execution fails', seconds, '')] : []
  const isWhole = verdict === 'verified'
  const skipped = isWhole ? '' : `<skipped>${text(whatIsMissing(report))}</skipped>`
  const cases = [...failures, ...passed, testCase(program, 'every schedule was explored', 0, skipped)]
  const numbers = `tests="${cases.length}" failures="${bugs.length}" errors="0" skipped="${isWhole ? 0 : 1}" time="${seconds.toFixed(3)}"`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="${attribute(program)}" ${numbers}>
${cases.join('\n')}
<system-out>${text(summaryOf(report))}</system-out>
</testsuite>
</testsuites>
`
}

function testCase(program: string, name: string, seconds: number, content: string): string {
  return `<testcase classname="${attribute(program)}" name="${attribute(name)}" time="${seconds.toFixed(3)}">${content}</testcase>`
}

function failedCase({ program, seconds }: Report, bug: BugReport, command: string): string {
  const whole = `${bugText(bug, width, painter(false))}\n\nReplay it with\n  ${command} replay ${quoted(bug.schedule)}\n`
  const failure = `<failure type="${attribute(bug.kind)}" message="${attribute(bug.message)}">${text(whole)}</failure>`
  return testCase(program, `${bug.kind}: ${whereText(bug)}`, seconds, failure)
}

function whatIsMissing({ verdict, incomplete, guarantee, keepGoing }: Report): string {
  if (verdict === 'bug') return keepGoing ? 'a schedule fails' : 'the search stopped at the first bug'
  return incomplete ? `not covered: ${incomplete.missing}` : (guarantee ?? '')
}

function summaryOf({ guarantee, scope, caveats, executions }: Report): string {
  return [
    ...(guarantee === null ? [] : [guarantee]),
    `holds for: ${scope.join(', ')}`,
    ...caveats.map((caveat) => `but: ${caveat}`),
    `executions: ${executions}`,
  ].join('\n')
}

/** What XML 1.0 cannot hold, however it is written: most control characters, halves of pairs. */
const unwritable = /(?![\n\t])[\p{Cc}\p{Cs}\ufffe\uffff]/gu

function text(content: string): string {
  return content
    .replace(unwritable, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

function attribute(content: string): string {
  return text(content).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}

export const junitWriter: ReportWriter = {
  name: 'junit',
  option: { flags: '--junit <file>', help: 'write the result as JUnit XML, for CI servers' },
  write: writeJUnit,
}
