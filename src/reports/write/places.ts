import type { Report } from '../report.js'

export interface FilePlace {
  readonly file: string
  readonly line: number
}

/** Tells places in files (`queue.c:41`) from those that only have a name, such as `t1:0` of a model program. */
export function filePlaces({ bugs, files = [] }: Report): (location: string | null) => FilePlace | null {
  const known = new Set(files.map(({ file }) => file))
  for (const { walk } of bugs) for (const { file } of walk.steps) if (file !== null) known.add(file)
  return (location) => {
    const [, file, line] = /^(.+):(\d+)$/.exec(location ?? '') ?? []
    return file !== undefined && known.has(file) ? { file, line: Number(line) } : null
  }
}
