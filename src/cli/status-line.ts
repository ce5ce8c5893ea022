import type { Io } from './io.js'

/** One line on standard error that is written over; nothing at all unless that is a terminal. */
export class StatusLine {
  private isShown = false

  constructor(private readonly io: Io) {}

  show(text: string): void {
    if (!this.io.isLive) return
    this.isShown = true
    this.io.err(`\r\x1b[K${text.slice(0, this.io.width - 1)}`)
  }

  clear(): void {
    if (this.isShown) this.io.err('\r\x1b[K')
    this.isShown = false
  }
}
