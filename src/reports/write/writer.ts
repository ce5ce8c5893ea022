import type { Report } from '../report.js'

export interface WriterOptions {
  /** Columns of the terminal. */
  readonly width: number
  readonly colour: boolean
  /** How the command is called here. */
  readonly command: string
  /** Also what only some people want to know. */
  readonly verbose?: boolean
}

/** Turns a report into a text of some format. */
export interface ReportWriter {
  readonly name: string
  /**
   * The option of `check` that asks for it. With an argument (`--junit <file>`) it names the file to write, in addition to
   * what is printed; without one (`--json`) the text is printed instead of the usual one.
   */
  readonly option?: { readonly flags: string; readonly help: string }
  /** The whole text; ends with a newline. */
  write(report: Report, options: WriterOptions): string
}
