import { Mode, Op } from '../../../machine/operation.js'
import { missingFileCalls } from '../provided-calls.js'
import { errno } from './errno.js'
import {
  type Content,
  copyOf,
  type FileSystem,
  foldersOf,
  type OpenFile,
  parentOf,
  plain,
} from './file-system.js'
import type { Kernel } from './kernel.js'
import { ALWAYS } from './thread-states.js'

/** The folder that everything lies in; libc looks for it first. */
const ROOT = 3
/** Numbers below 16 are left to files, those up to 63 to runtime/descriptors.c. */
const FIRST = 4
const OTHERS = { from: 16, to: 64 }

const CREATE = 1
const DIRECTORY = 2
const EXCLUSIVE = 4
const TRUNCATE = 8
const APPEND = 1
const MAY_READ = 1n << 1n
const MAY_WRITE = 1n << 6n
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn

const FOLDER = 3
const REGULAR = 4

/**
 * Files in memory: those that the program is given, and those that it makes. Every execution begins with the former. Each call is
 * one step on its file, which others are ordered with; the order of calls is the only one there is, and no race.
 */
export class Files {
  private state: FileSystem
  private initial: FileSystem
  private isTouched = false
  private result = 0
  /** Of each thread the last call that used a stream: see `useStream`. */
  private readonly callsOnStreams: number[] = []

  constructor(
    private readonly kernel: Kernel,
    given: Readonly<Record<string, Uint8Array>>,
  ) {
    this.initial = { contents: new Map(), folders: new Set(['', 'tmp']), open: new Map() }
    for (const [path, bytes] of Object.entries(given)) {
      const name = plain(path)
      this.initial.contents.set(name, { name, bytes })
      for (const folder of foldersOf(name)) this.initial.folders.add(folder)
    }
    this.state = copyOf(this.initial)
    kernel.hasState({
      reset: () => this.reset(),
      mark: () => (this.isTouched ? -1 : 0),
      goBack: () => this.reset(),
    })
  }

  /** What constructors have done is there before every execution. */
  keep(): void {
    this.initial = copyOf(this.state)
    this.isTouched = false
  }

  private reset(): void {
    if (!this.isTouched) return
    this.state = copyOf(this.initial)
    this.isTouched = false
  }

  has(file: number): boolean {
    return file === ROOT || this.state.open.has(file)
  }

  typeOf(file: number): number {
    return this.state.open.get(file)?.content ? REGULAR : FOLDER
  }

  readonly calls = {
    fd_prestat_get: (file: number, result: number): number => {
      if (file !== ROOT) return errno.badFile
      this.writes(result, 8)
      const { words } = this.kernel.memory
      words[result >>> 2] = 0
      words[(result >>> 2) + 1] = 1
      return 0
    },
    fd_prestat_dir_name: (file: number, path: number, length: number): number => {
      if (file !== ROOT || length < 1) return errno.badFile
      this.writes(path, 1)
      this.kernel.memory.bytes[path >>> 0] = 0x2f
      return 0
    },

    path_open: (
      folder: number,
      _follow: number,
      path: number,
      length: number,
      how: number,
      rights: bigint,
      _inherited: bigint,
      flags: number,
      result: number,
    ): number =>
      this.step(this.nameAt(folder, path, length), true, (name) => {
        const code = this.open(name, how, rights, flags)
        if (code !== 0) return code
        this.writes(result, 4)
        this.kernel.memory.words[result >>> 2] = this.result
        return 0
      }),

    path_filestat_get: (
      folder: number,
      _flags: number,
      path: number,
      length: number,
      result: number,
    ): number =>
      this.step(this.nameAt(folder, path, length), false, (name) => {
        const content = this.state.contents.get(name)
        if (!content && !this.state.folders.has(name)) return errno.noEntry
        this.describe(result, content)
        return 0
      }),

    path_unlink_file: (folder: number, path: number, length: number): number =>
      this.step(this.nameAt(folder, path, length), true, (name) =>
        this.state.contents.delete(name) ? 0 : this.state.folders.has(name) ? errno.isFolder : errno.noEntry,
      ),

    path_create_directory: (folder: number, path: number, length: number): number =>
      this.step(this.nameAt(folder, path, length), true, (name) => {
        if (this.state.contents.has(name) || this.state.folders.has(name)) return errno.exists
        if (!this.state.folders.has(parentOf(name))) return errno.noEntry
        this.state.folders.add(name)
        return 0
      }),

    path_remove_directory: (folder: number, path: number, length: number): number =>
      this.step(this.nameAt(folder, path, length), true, (name) => {
        const { folders, contents } = this.state
        const isUsed = [...folders, ...contents.keys()].some((other) => other.startsWith(`${name}/`))
        if (isUsed) return errno.notEmpty
        return folders.delete(name) ? 0 : errno.noEntry
      }),

    path_rename: (
      from: number,
      path: number,
      length: number,
      to: number,
      other: number,
      size: number,
    ): number =>
      this.step(this.nameAt(from, path, length), true, (name) => {
        const content = this.state.contents.get(name)
        if (!content) return errno.noEntry
        const renamed = this.nameAt(to, other, size)
        this.note(renamed, true)
        this.state.contents.delete(name)
        this.state.contents.set(renamed, content)
        return 0
      }),

    fd_filestat_get: (file: number, result: number): number =>
      this.onFile(file, false, ({ content }) => {
        this.describe(result, content)
        return 0
      }),

    fd_filestat_set_size: (file: number, size: bigint): number =>
      this.onFile(file, true, ({ content, writes }) => {
        if (!content || !writes) return errno.invalid
        const bytes = new Uint8Array(Number(size))
        bytes.set(content.bytes.subarray(0, bytes.length))
        content.bytes = bytes
        return 0
      }),

    fd_tell: (file: number, result: number): number => this.calls.fd_seek(file, 0n, 1, result),
    fd_seek: (file: number, offset: bigint, whence: number, result: number): number =>
      this.onFile(file, true, (open) => {
        if (!open.content) return errno.isFolder
        const from = [0, open.position, open.content.bytes.length][whence]
        const position = from + Number(offset)
        if (from === undefined || position < 0) return errno.invalid
        open.position = position
        this.writes(result, 8)
        this.store64(result, BigInt(position))
        return 0
      }),

    fd_sync: (file: number): number => (this.has(file) ? 0 : errno.badFile),
    fd_datasync: (file: number): number => (this.has(file) ? 0 : errno.badFile),
    fd_advise: (file: number): number => (this.has(file) ? 0 : errno.badFile),
  }

  /** What a system without such calls says. */
  readonly missingCalls = Object.fromEntries(
    missingFileCalls.map((name) => [name, () => errno.notSupported]),
  ) as Record<(typeof missingFileCalls)[number], () => number>

  close(file: number): number {
    return this.onFile(file, true, () => {
      this.state.open.delete(file)
      return 0
    })
  }

  /** As `fd_read`: returns a code; how much was read is stored. */
  read(file: number, vectors: number, count: number, result: number): number {
    return this.onFile(file, true, (open) => {
      if (!open.content || !open.reads) return errno.badFile
      const { bytes } = this.kernel.memory
      let total = 0
      for (const [at, length] of this.parts(vectors, count)) {
        const part = open.content.bytes.subarray(open.position, open.position + length)
        this.writes(at, part.length)
        bytes.set(part, at)
        open.position += part.length
        total += part.length
      }
      return this.give(result, total)
    })
  }

  write(file: number, vectors: number, count: number, result: number): number {
    return this.onFile(file, true, (open) => {
      const { content } = open
      if (!content || !open.writes) return errno.badFile
      const { bytes } = this.kernel.memory
      let total = 0
      for (const [at, length] of this.parts(vectors, count)) {
        this.reads(at, length)
        if (open.appends) open.position = content.bytes.length
        const end = open.position + length
        const grown = new Uint8Array(Math.max(end, content.bytes.length))
        grown.set(content.bytes)
        grown.set(bytes.subarray(at, at + length), open.position)
        content.bytes = grown
        open.position = end
        total += length
      }
      return this.give(result, total)
    })
  }

  private open(name: string, how: number, rights: bigint, flags: number): number {
    const { contents, folders } = this.state
    const isFolder = folders.has(name)
    const writes = (rights & MAY_WRITE) !== 0n
    if (isFolder && (writes || (how & CREATE) !== 0)) return errno.isFolder
    if (!isFolder && (how & DIRECTORY) !== 0) return errno.noEntry
    let content = contents.get(name)
    if (content && (how & CREATE) !== 0 && (how & EXCLUSIVE) !== 0) return errno.exists
    if (!content && !isFolder) {
      if ((how & CREATE) === 0 || !folders.has(parentOf(name))) return errno.noEntry
      content = { name, bytes: new Uint8Array() }
      contents.set(name, content)
    }
    if (content && (how & TRUNCATE) !== 0) content.bytes = new Uint8Array()
    this.result = this.freeNumber()
    this.state.open.set(this.result, {
      ...(content ? { content } : {}),
      name,
      position: 0,
      appends: (flags & APPEND) !== 0,
      reads: (rights & MAY_READ) !== 0n,
      writes,
    })
    return 0
  }

  private freeNumber(): number {
    let number = FIRST
    while (this.state.open.has(number) || (number >= OTHERS.from && number < OTHERS.to)) number++
    return number
  }

  /**
   * The running thread is in a call that uses a stream, and has stopped before it: on other systems it would have locked the
   * stream, so nobody comes between what the call does to the stream and what it does to its file.
   */
  useStream(): void {
    this.callsOnStreams[this.kernel.running] = this.kernel.callSite()
  }

  /** An operation on the file of that name, in one step. */
  private step(name: string, changes: boolean, act: (name: string) => number): number {
    const { kernel } = this
    const kind = changes ? Op.change : Op.look
    const isOfStream = this.callsOnStreams[kernel.running] === kernel.callSite()
    if (!isOfStream && kernel.phase() === 0 && kernel.stopsBefore(kind, this.locationOf(name), ALWAYS, 0))
      return 0
    this.isTouched = true
    this.note(name, changes)
    return act(name)
  }

  private onFile(file: number, changes: boolean, act: (open: OpenFile) => number): number {
    const open = this.state.open.get(file)
    if (!open) return file === ROOT ? errno.isFolder : errno.badFile
    return this.step(open.name, changes, () => act(open))
  }

  private note(name: string, changes: boolean): void {
    const { kernel } = this
    kernel.pending.site[kernel.running] = kernel.callSite()
    kernel.record(changes ? Op.change : Op.look, changes ? Mode.write : Mode.read, this.locationOf(name), -1)
    kernel.disturb()
  }

  private locationOf(name: string): number {
    return this.kernel.locations.intern('process', `file ${name === '' ? '/' : name}`)
  }

  private nameAt(folder: number, path: number, length: number): string {
    const { bytes } = this.kernel.memory
    const text = new TextDecoder().decode(bytes.slice(path >>> 0, (path >>> 0) + (length >>> 0)))
    const above = folder === ROOT ? '' : (this.state.open.get(folder)?.name ?? '')
    return plain(`${above}/${text}`)
  }

  private *parts(vectors: number, count: number): Generator<readonly [number, number]> {
    this.reads(vectors, (count >>> 0) * 8)
    const { words } = this.kernel.memory
    for (let i = 0; i < count; i++) {
      const at = (vectors >>> 2) + 2 * i
      yield [words[at] >>> 0, words[at + 1] >>> 0]
    }
  }

  private give(result: number, count: number): number {
    this.writes(result, 4)
    this.kernel.memory.words[result >>> 2] = count
    return 0
  }

  /** A `__wasi_filestat_t`. */
  private describe(result: number, content: Content | undefined): void {
    this.writes(result, 64)
    const { bytes } = this.kernel.memory
    bytes.fill(0, result >>> 0, (result >>> 0) + 64)
    bytes[(result >>> 0) + 16] = content ? REGULAR : FOLDER
    this.store64(result + 24, 1n)
    this.store64(result + 32, BigInt(content?.bytes.length ?? 0))
  }

  private reads(address: number, size: number): void {
    this.kernel.journal.hostAccess('buffer to read', address >>> 0, size >>> 0, false)
  }

  private writes(address: number, size: number): void {
    this.kernel.journal.hostAccess('place for a result', address >>> 0, size >>> 0, true)
  }

  private store64(address: number, value: bigint): void {
    new DataView(this.kernel.memory.bytes.buffer).setBigUint64(address >>> 0, value, true)
  }

  /** What may be done to a folder, and to what lies in it. */
  get rights(): bigint {
    return ALL_RIGHTS
  }
}
