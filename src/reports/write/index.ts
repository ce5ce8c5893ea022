import { addTo } from '../../words/add-to.js'
import { htmlWriter } from './html/page.js'
import { jsonWriter } from './json.js'
import { junitWriter } from './junit.js'
import { sarifWriter } from './sarif.js'
import { textWriter } from './text.js'
import type { ReportWriter } from './writer.js'

export type { ReportWriter, WriterOptions } from './writer.js'

/** Adds a writer from outside; the function returned takes it away again. */
export function addReportWriter(writer: ReportWriter): () => void {
  return addTo(reportWriters as ReportWriter[], writer)
}

/** The one list of report writers: the command line reads it. The first is used unless the user asks for another. */
export const reportWriters: readonly ReportWriter[] = [
  textWriter,
  jsonWriter,
  htmlWriter,
  sarifWriter,
  junitWriter,
]
