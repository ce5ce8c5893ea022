import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { checkMayMakeFolder, writeAtomically } from '../files/atomic-write.js'
import { UserError } from '../files/user-error.js'
import type { Report } from '../reports/report.js'
import { type ReportWriter, reportWriters } from '../reports/write/index.js'
import { optionName } from '../strategies/index.js'
import type { Io } from './io.js'

interface ReportFile {
  readonly writer: ReportWriter
  /** `--report out.html`. */
  readonly shown: string
  readonly path: string
}

/** The reports that the user wants in files. */
function reportFiles(command: Command, io: Io): ReportFile[] {
  return reportWriters.flatMap((writer) => {
    const file = writer.option && command.opts()[optionName(writer.option)]
    if (typeof file !== 'string') return []
    const shown = `${writer.option!.flags.replace(/ .*/, '')} ${file}`
    return [{ writer, shown, path: resolve(io.directory, file) }]
  })
}

/** Whether a report is to be written to a file. */
export function wantsReportFiles(command: Command): boolean {
  return reportWriters.some(({ option }) => option && typeof command.opts()[optionName(option)] === 'string')
}

/** Refuses files that cannot be written, before anything is explored. */
export function checkReportFiles(command: Command, io: Io): void {
  const paths = new Set<string>()
  for (const { shown, path } of reportFiles(command, io)) {
    checkMayMakeFolder(dirname(path), shown.replace(/ .*/, ' in'))
    if (existsSync(path) && statSync(path).isDirectory()) {
      throw new UserError(`${shown}: this is a folder; name a file`)
    }
    if (paths.has(path)) throw new UserError(`${shown}: another report goes to the same file`)
    paths.add(path)
  }
}

/**
 * Writes the reports asked for, each whole or not at all; says which could not be written. Ctrl-C waits until a file is
 * complete.
 */
export function writeReportFiles(report: Report, command: Command, io: Io): boolean {
  let areWritten = true
  const stopListening = io.onInterrupt(() => {})
  for (const { writer, shown, path } of reportFiles(command, io)) {
    try {
      writeAtomically(path, writer.write(report, { ...io, colour: false }))
    } catch (error) {
      areWritten = false
      io.err(`faultline: ${shown} could not be written: ${(error as Error).message}\n`)
    }
  }
  stopListening()
  return areWritten
}
