import { resolve } from 'node:path'
import { SourceText } from '../../explain/source-text.js'
import type { Report, SourceFile } from '../report.js'

/** Larger files are not put into reports. */
const mostCharacters = 1 << 20

/** The text of every file that bugs and races of a report name. */
export function sourceFiles(
  { bugs, races }: Pick<Report, 'bugs' | 'races'>,
  directory: string,
): SourceFile[] {
  const names = new Set<string>()
  for (const { walk, passing } of bugs) {
    for (const { file } of [...walk.steps, ...(passing?.walk.steps ?? [])]) if (file !== null) names.add(file)
  }
  for (const { location } of races.flatMap(({ sides }) => sides)) {
    const file = /^(.+):\d+$/.exec(location ?? '')?.[1]
    if (file !== undefined) names.add(file)
  }
  const sources = new SourceText(directory)
  return [...names].sort().flatMap((file) => {
    const text = sources.lines(file).join('\n')
    return text === '' || text.length > mostCharacters ? [] : [{ file, path: resolve(directory, file), text }]
  })
}
