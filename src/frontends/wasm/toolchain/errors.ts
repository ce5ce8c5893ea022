/** The program cannot be built; the message is for its author. All of these end a run with exit code 2. */
export class BuildError extends Error {
  override readonly name: string = 'BuildError'
}

/** The compiler or the linker refused the program. `diagnostics` is its own text, with the user's paths. */
export class CompileError extends BuildError {
  override readonly name = 'CompileError'

  constructor(
    readonly diagnostics: string,
    readonly stage: 'compile' | 'link' = 'compile',
  ) {
    super(`the program does not ${stage}\n${diagnostics.trimEnd()}${hintOn(diagnostics)}`)
  }
}

/** What to do about diagnostics that have to do with how the program is built here. */
function hintOn(diagnostics: string): string {
  if (/: '[^']+' file not found/.test(diagnostics))
    return '\n-I FOLDER says where headers are; headers of libraries that are not installed here have to be given too.'
  if (/: duplicate symbol: /.test(diagnostics))
    return '\nA variable can be defined in one file only: write extern in the others, or use -fcommon.'
  return ''
}

export class MissingFileError extends BuildError {
  override readonly name = 'MissingFileError'

  constructor(readonly path: string) {
    super(`${path}: no such file`)
  }
}

export class NoMainError extends BuildError {
  override readonly name = 'NoMainError'

  constructor(readonly sources: readonly string[]) {
    super(
      `no main function in ${sources.join(', ')}; add the file that has it, or write a small main that starts the threads`,
    )
  }
}

/** The program uses something Faultline does not provide. */
export class UnsupportedError extends BuildError {
  override readonly name = 'UnsupportedError'

  constructor(
    message: string,
    readonly functions: readonly string[],
  ) {
    super(message)
  }
}
