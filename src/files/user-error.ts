/**
 * Something the user can put right: a wrong option, a missing file, a program that does not build. The message says
 * what is wrong and what would be right; the command ends with exit code 2.
 */
export class UserError extends Error {
  override readonly name: string = 'UserError'
}

/** Runs a reader of user input and turns the RangeError it throws for wrong input into a UserError. */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw new UserError(`${what}: ${error.message}`)
    throw error
  }
}
