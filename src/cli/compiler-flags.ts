/**
 * People paste what they give to their compiler. What it would mean here is done, what makes no difference here is left
 * out, and the rest goes to the option parser, which refuses it by name.
 */
export function spellOut(argument: string): string[] {
  // The option parser would read these as bundles of letters.
  if (argument.startsWith('-std=')) return [`-${argument}`]
  if (/^-(?:W|f|m|isystem|iquote|include)./.test(argument)) return [`--cflag=${argument}`]
  return isNeedless(argument) ? [] : [argument]
}

/** Threads, the libraries of C and C++ and debug information are there anyway. */
function isNeedless(argument: string): boolean {
  return /^-(?:pthread|pthreads|g\d?|ggdb\d?|pedantic|c|l(?:pthread|m|rt|c|stdc\+\+|c\+\+|dl|atomic))$/.test(
    argument,
  )
}

/** What to say of a library that is not there. */
export function adviceOnLibrary(argument: string): string | undefined {
  const [, name] = /^-l(\w.*)$/.exec(argument) ?? []
  return name === undefined
    ? undefined
    : `-l${name}: libraries cannot be linked, only compiled with the program: give the sources of ${name}, or a small stand-in for it`
}
