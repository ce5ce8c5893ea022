import type { Report } from '../../report.js'
import type { ReportWriter, WriterOptions } from '../writer.js'
import { readAssets } from './assets.js'
import { bugSection } from './bug.js'
import { pageData } from './data.js'
import { embedded, html, type Markup, scriptElement } from './markup.js'
import { runSections } from './run.js'
import { verdictHeader } from './verdict.js'

/** The report as a page: one file that needs nothing else. */
export function writeHtml(report: Report, { command }: Pick<WriterOptions, 'command'>): string {
  const { style, script, scriptHash } = readAssets()
  const bugs = report.bugs.map((bug, i) => bugSection(report, bug, i, command))
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptHash}'">
<title>${titleOf(report)}</title>
<style>
${{ html: style }}</style>
</head>
<body>
${verdictHeader(report)}
${report.bugs.length > 1 ? bugTabs(report) : null}
<main>
${bugs}
${runSections(report)}
</main>
<footer><p>Made by Faultline. Everything is in this file: nothing is loaded from elsewhere.</p></footer>
<p id="announce" class="unseen" aria-live="polite"></p>
${scriptElement(' type="application/json" id="data"', embedded(pageData(report)))}
${scriptElement('', script)}
</body>
</html>
`.html
  }`
}

function titleOf({ program, verdict, bugs }: Report): string {
  const what = bugs.length > 0 ? `${bugs[0].kind}: ${bugs[0].message}` : verdict
  return `${what} – ${program}`
}

function bugTabs({ bugs }: Report): Markup {
  return html`<nav class="tabs" aria-label="Bugs">${bugs.map(
    (bug, i) => html`<a href="#bug${i + 1}">${bug.kind}<small>${bug.location}</small></a>`,
  )}</nav>`
}

export const htmlWriter: ReportWriter = {
  name: 'html',
  option: { flags: '--report <file>', help: 'write a page for the browser, for example report.html' },
  write: writeHtml,
}
