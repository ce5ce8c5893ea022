import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { makeFolder } from '../../make-folder.js'
import { BuildError } from './errors.js'

/**
 * Results of building, by the hash of what went in. An entry is one file: it is written under another name and
 * renamed, so that a reader sees all of it or none, and carries a checksum, so that a damaged one is built again.
 * A cache that cannot be written is no error: it only does not help.
 */
export interface Cache {
  read(key: string): Promise<CacheEntry | undefined>
  write(key: string, entry: CacheEntry): Promise<void>
}

export interface CacheEntry {
  /** JSON-able. */
  readonly data: unknown
  readonly files: readonly Uint8Array[]
}

const MAGIC = 'faultline cache 1\n'
/** Beyond this the oldest entries are removed. */
const MOST_BYTES = 512 * 1024 * 1024

/** `FAULTLINE_CACHE`, else the user's cache folder. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  if (environment.FAULTLINE_CACHE) return environment.FAULTLINE_CACHE
  const base =
    environment.XDG_CACHE_HOME ||
    (process.platform === 'win32' && environment.LOCALAPPDATA) ||
    path.join(homedir(), '.cache')
  return path.join(base, 'faultline')
}

/** The cache to use unless another one is given. A folder that the user named must be one that can be made. */
export function userCache(environment: NodeJS.ProcessEnv = process.env): Cache {
  const folder = cacheFolder(environment)
  try {
    if (environment.FAULTLINE_CACHE) makeFolder(folder)
  } catch (error) {
    throw new BuildError(
      `FAULTLINE_CACHE is ${folder}: the folder cannot be made (${(error as Error).message}); name another`,
    )
  }
  return folderCache(folder)
}

/** Never finds and never keeps anything. */
export const noCache: Cache = {
  read: async () => undefined,
  write: async () => {},
}

export function folderCache(folder: string): Cache {
  const fileOf = (key: string) => path.join(folder, `${key}.bin`)
  return {
    async read(key) {
      try {
        return decode(await readFile(fileOf(key)))
      } catch {
        return undefined
      }
    },
    async write(key, entry) {
      const temporary = path.join(folder, `${key}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`)
      try {
        makeFolder(folder)
        await writeFile(temporary, encode(entry))
        await rename(temporary, fileOf(key))
        if (!pruned.has(folder)) await prune(folder)
        pruned.add(folder)
      } catch {
        await rm(temporary, { force: true }).catch(() => {})
      }
    },
  }
}

/** Magic, checksum of the rest, then JSON and files, each with its length. */
export function encode({ data, files }: CacheEntry): Uint8Array {
  const json = Buffer.from(JSON.stringify(data))
  const parts: Uint8Array[] = []
  for (const part of [json, ...files]) {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(part.length)
    parts.push(length, part)
  }
  const rest = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(MAGIC), createHash('sha256').update(rest).digest(), rest])
}

export function decode(bytes: Buffer): CacheEntry | undefined {
  const start = MAGIC.length + 32
  if (bytes.length < start || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined
  const rest = bytes.subarray(start)
  if (!createHash('sha256').update(rest).digest().equals(bytes.subarray(MAGIC.length, start)))
    return undefined
  const parts: Uint8Array[] = []
  for (let at = 0; at < rest.length; ) {
    const length = rest.readUInt32LE(at)
    parts.push(rest.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  const [json, ...files] = parts
  return { data: JSON.parse(Buffer.from(json).toString('utf8')), files }
}

/** Once in a process: it looks at every entry. */
const pruned = new Set<string>()

async function prune(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.bin') || name.endsWith('.tmp'))
  const entries = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name)
      const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }))
      return { file, size, mtimeMs }
    }),
  )
  let total = entries.reduce((sum, entry) => sum + entry.size, 0)
  for (const { file, size } of entries.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (total <= MOST_BYTES) return
    await rm(file, { force: true })
    total -= size
  }
}
