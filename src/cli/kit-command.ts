import { join, resolve } from 'node:path'
import { checkMayMakeFolder } from '../files/atomic-write.js'
import { UserError } from '../files/user-error.js'
import { count } from '../words/words.js'
import { ExitCode } from './exit.js'
import type { Io } from './io.js'
import { type Kit, readKit } from './kit/kit.js'
import { keyOf, Results, type TestResult } from './kit/results.js'
import { type Main, runTests } from './kit/run-tests.js'
import { bugTexts, countText, nameOf, resultLine } from './kit/summary.js'
import { findTree } from './kit/tree.js'

export interface KitFlags {
  readonly budget: number
  readonly out: string
  readonly define?: readonly string[]
  readonly test?: readonly string[]
  readonly workers?: string
}

/** `faultline kit`: all tests of a kit on what was handed in, one folder after the other. */
export async function runKit(
  name: string,
  folders: readonly string[],
  flags: KitFlags,
  main: Main,
  io: Io,
): Promise<number> {
  const kit = withTests(readKit(name, io.directory), flags.test)
  const out = resolve(io.directory, flags.out)
  checkMayMakeFolder(out, '--out')
  if (new Set(folders.map((folder) => resolve(io.directory, folder))).size < folders.length)
    throw new UserError('a folder is named twice')
  const width = Math.max(...kit.tests.map(({ file }) => nameOf(file).length))
  const lines: string[] = []
  let code: number = ExitCode.nothingFound
  let isInterrupted = false
  const stopListening = io.onInterrupt(() => {
    isInterrupted = true
  })
  const options = [
    ...(flags.define ?? []).flatMap((macro) => ['-D', macro]),
    ...(flags.workers === undefined ? [] : ['--workers', flags.workers]),
  ]
  for (const folder of folders) {
    if (isInterrupted) break
    const tree = findTree(kit, resolve(io.directory, folder), folder)
    if (typeof tree === 'string') {
      io.out(`${folder}: ${tree}\n`)
      lines.push(`${folder}: ${tree}`)
      if (code === ExitCode.nothingFound) code = ExitCode.wrongUse
      continue
    }
    io.out(`${folder}: ${count(tree.sources.length, 'source')}\n`)
    for (const file of tree.missing) io.out(`  missing: ${file}\n`)
    const results = new Results(
      folderFor(out, folder, folders),
      keyOf(kit, tree, [...options, `${flags.budget}`]),
    )
    const settings = {
      budget: flags.budget,
      options,
      onResult: (result: TestResult) => io.out(resultLine(result, width)),
      isInterrupted: () => isInterrupted,
    }
    const all = await runTests(kit, tree, results, settings, main, io)
    const bugs = bugTexts(all, kit.tests)
    for (const text of bugs) io.out(`\n${text}`)
    io.out(`\n${countText(all)}\n\n`)
    lines.push(`${folder}: ${countText(all)}`)
    if (bugs.length > 0) code = ExitCode.bug
    else if (code === ExitCode.nothingFound && all.some(({ outcome }) => outcome === 'failed'))
      code = ExitCode.wrongUse
  }
  stopListening()
  if (folders.length > 1) io.out(`${lines.join('\n')}\n`)
  if (isInterrupted) io.err('faultline: interrupted; the same command goes on where it was\n')
  return code
}

/** A kit with only these of its tests. */
function withTests(kit: Kit, wanted: readonly string[] | undefined): Kit {
  if (wanted === undefined) return kit
  const names = kit.tests.map(({ file }) => nameOf(file))
  const unknown = wanted.find((test) => !names.includes(test))
  if (unknown !== undefined) throw new UserError(`--test ${unknown}: known are ${names.join(', ')}`)
  return { ...kit, tests: kit.tests.filter(({ file }) => wanted.includes(nameOf(file))) }
}

/** Each tree has a folder of its own, named after it. */
function folderFor(out: string, folder: string, folders: readonly string[]): string {
  if (folders.length === 1) return out
  return join(out, folder.replace(/^[./\\]+/, '').replace(/[\\/]+/g, '-') || 'tree')
}
