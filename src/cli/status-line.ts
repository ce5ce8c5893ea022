import type { Io } from './io.js'

/** A few lines on standard error that are written over; nothing at all unless that is a terminal. */
export class StatusLine {
  /** Lines shown; the cursor is at the end of the last. */
  private shown = 0

  constructor(private readonly io: Io) {}

  show(...lines: readonly string[]): void {
    if (!this.io.isLive) return
    const text = lines.map((line) => line.slice(0, this.io.width - 1)).join('\n')
    this.io.err(`${this.home()}${text}`)
    this.shown = lines.length
  }

  clear(): void {
    if (this.shown > 0) this.io.err(this.home())
    this.shown = 0
  }

  /** To the beginning of what is shown, with everything from there on erased. */
  private home(): string {
    const up = this.shown > 1 ? `\x1b[${this.shown - 1}A` : ''
    return `\r${up}\x1b[J`
  }
}
