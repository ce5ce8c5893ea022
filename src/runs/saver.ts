import type { SavedRun } from './saved-run.js'

/** Seconds between two saves, unless the user says. */
export const defaultSaveEvery = 10

/** Writes a run out now and then, if anybody wants that. */
export class Saver {
  /** Why the last save failed, if it did. */
  problem: string | null = null
  /** Seconds between two saves; null: nothing is saved. */
  readonly every: number | null
  private savedAt = 0
  private write: () => void = () => {}

  constructor(
    private readonly control: {
      readonly saveEvery?: number | undefined
      readonly onSave?: ((saved: SavedRun) => void) | undefined
    },
  ) {
    this.every = control.onSave ? (control.saveEvery ?? defaultSaveEvery) : null
  }

  /**
   * Saves for the first time, so that whoever ends the run before the first interval is over finds a file, and a path that
   * cannot be written is known now.
   */
  begin(state: () => SavedRun): void {
    const { onSave } = this.control
    if (onSave === undefined) return
    this.write = () => onSave(state())
    this.write()
  }

  isDue(seconds: number): boolean {
    return seconds - this.savedAt > (this.every ?? Infinity)
  }

  save(seconds: number): void {
    this.savedAt = seconds
    try {
      this.write()
      this.problem = null
    } catch (error) {
      // The run is worth more than its file: it goes on, and the next save may succeed.
      this.problem = (error as Error).message
    }
  }
}
