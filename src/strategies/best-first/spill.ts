/** Where the least promising part of a fringe goes when memory is short. Injected, so that tests need no disk. */
export interface SpillStore {
  /** Keeps a copy of the numbers; the result finds them again. */
  write(numbers: Int32Array): number
  /** Gives back `length` numbers. */
  read(position: number, length: number): Int32Array
  /** Everything has been read: what is stored may go. */
  clear(): void
  close(): void
}

/** In memory: for tests. */
export function memorySpill(): SpillStore & { written: number; isOpen: boolean } {
  let kept: number[] = []
  return {
    written: 0,
    isOpen: true,
    write(numbers) {
      const position = kept.length
      for (const n of numbers) kept.push(n)
      this.written += numbers.length
      return position
    },
    read: (position, length) => Int32Array.from(kept.slice(position, position + length)),
    clear() {
      kept = []
    },
    close() {
      this.isOpen = false
      kept = []
    },
  }
}

/**
 * A temporary file, opened at the first write. It is unlinked at once where the system allows that for an open file, so
 * that nothing stays behind however the process ends; elsewhere when it is closed, or at the end of the process.
 */
export function fileSpill(parent?: string): SpillStore {
  let file: { fd: number; end: number; remove: () => void } | null = null
  const fs = () => process.getBuiltinModule('node:fs')

  const open = () => {
    const folder = fs().mkdtempSync(`${parent ?? process.getBuiltinModule('node:os').tmpdir()}/faultline-`)
    const path = `${folder}/fringe`
    const fd = fs().openSync(path, 'wx+')
    let removed = false
    const remove = () => {
      if (removed) return
      fs().unlinkSync(path)
      fs().rmdirSync(folder)
      removed = true
    }
    try {
      remove()
    } catch {
      process.once('exit', () => {
        try {
          remove()
        } catch {
          // Nothing more can be done for a temporary file that the system holds on to.
        }
      })
    }
    return { fd, end: 0, remove }
  }

  return {
    write(numbers) {
      file ??= open()
      const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
      const position = file.end
      for (let done = 0; done < bytes.length; ) {
        done += fs().writeSync(file.fd, bytes, done, bytes.length - done, file.end + done)
      }
      file.end += bytes.length
      return position / 4
    },
    read(position, length) {
      const numbers = new Int32Array(length)
      const bytes = new Uint8Array(numbers.buffer)
      for (let done = 0; done < bytes.length; ) {
        const n = fs().readSync(file!.fd, bytes, done, bytes.length - done, position * 4 + done)
        if (n === 0) throw new Error('the temporary file of the best-first search has become shorter')
        done += n
      }
      return numbers
    },
    clear() {
      if (file === null) return
      fs().ftruncateSync(file.fd, 0)
      file.end = 0
    },
    close() {
      if (file === null) return
      fs().closeSync(file.fd)
      try {
        file.remove()
      } catch {
        // Removed when the process ends.
      }
      file = null
    },
  }
}
