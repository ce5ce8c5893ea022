import { BuildError } from './errors.js'

const MAGIC = '!<arch>\n'
const THIN_MAGIC = '!<thin>\n'
const HEADER = 60

export function isArchive(bytes: Uint8Array): boolean {
  const start = latin1(bytes, 0, MAGIC.length)
  return start === MAGIC || start === THIN_MAGIC
}

export interface ArchiveMember {
  readonly name: string
  readonly content: Uint8Array
}

/** The files in an archive of `ar`, without its index. */
export function archiveMembers(bytes: Uint8Array, archive: string): ArchiveMember[] {
  if (latin1(bytes, 0, MAGIC.length) === THIN_MAGIC) {
    throw new BuildError(`${archive}: this archive only names its objects (ar T); make one that holds them`)
  }
  const members: ArchiveMember[] = []
  let longNames = ''
  for (let at = MAGIC.length; at + HEADER <= bytes.length; ) {
    const field = latin1(bytes, at, 16).trimEnd()
    const size = Number.parseInt(latin1(bytes, at + 48, 10), 10)
    if (!(size >= 0)) throw new BuildError(`${archive}: this archive is damaged; make it again`)
    const start = at + HEADER
    // `/` is the index, `//` the table of long names, `/7` a place in it.
    if (field === '//') longNames = latin1(bytes, start, size)
    else if (field !== '/' && field !== '/SYM64/') {
      const place = /^\/(\d+)$/.exec(field)?.[1]
      const name = place === undefined ? field : longNames.slice(Number(place)).split('\n', 1)[0]
      members.push({ name: name.replace(/\/$/, ''), content: bytes.subarray(start, start + size) })
    }
    at = start + size + (size % 2)
  }
  return members
}

function latin1(bytes: Uint8Array, at: number, length: number): string {
  return Buffer.from(bytes.subarray(at, at + length)).toString('latin1')
}
