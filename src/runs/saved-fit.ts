import type { Machine } from '../machine/machine.js'
import { UserError } from './user-error.js'
import { version } from './version.js'

/** What every saved file says of where it comes from. */
interface Origin {
  readonly program: string
  readonly hash: string
  /** The version of faultline that wrote it. */
  readonly tool: string
}

/** Refuses to go on with what was saved on another program or by another version. */
export function checkFits(saved: Origin, machine: Machine, what: 'search' | 'run'): void {
  if (saved.hash !== machine.hash) {
    throw new UserError(
      `the ${what} was saved on another program: ${saved.program} (${saved.hash.slice(0, 12)}), this is ` +
        `${machine.name} (${machine.hash.slice(0, 12)}). Go on with the program it was saved on, or start again ` +
        'without --resume.',
    )
  }
  if (saved.tool !== version) {
    throw new UserError(
      `the ${what} was saved by faultline ${saved.tool}, this is ${version}: searches may differ. ` +
        'Go on with that version, or start again without --resume.',
    )
  }
}
