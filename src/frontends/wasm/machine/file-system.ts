/** The folders, files and descriptors of a program, as plain data; `files.ts` has the calls that use and change them. */

export interface Content {
  readonly name: string
  bytes: Uint8Array
}

export interface OpenFile {
  /** Absent for a folder. */
  readonly content?: Content
  readonly name: string
  position: number
  readonly appends: boolean
  readonly reads: boolean
  readonly writes: boolean
}

/** What there is at one point of an execution. */
export interface FileSystem {
  readonly contents: Map<string, Content>
  readonly folders: Set<string>
  readonly open: Map<number, OpenFile>
}

/** A file that is open several times is one file of the copy, too. */
export function copyOf({ contents, folders, open }: FileSystem): FileSystem {
  const copies = new Map<Content, Content>()
  const copy = (content: Content): Content => {
    const known = copies.get(content) ?? { ...content }
    copies.set(content, known)
    return known
  }
  return {
    contents: new Map(Array.from(contents, ([name, content]) => [name, copy(content)])),
    folders: new Set(folders),
    open: new Map(
      Array.from(open, ([number, file]) => [
        number,
        { ...file, ...(file.content ? { content: copy(file.content) } : {}) },
      ]),
    ),
  }
}

/** A path from the root, without a slash in front. */
export function plain(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

export function parentOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')))
}

/** The folders that something lies in, the innermost first, without the root. */
export function foldersOf(name: string): string[] {
  const found: string[] = []
  for (let folder = parentOf(name); folder !== ''; folder = parentOf(folder)) found.push(folder)
  return found
}
