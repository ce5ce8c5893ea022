/**
 * People paste what they give to their compiler. What it would mean here is done, what makes no difference here is left
 * out, and the rest goes to the option parser, which refuses it by name.
 */
export function spellOutAll(args: readonly string[]): string[] {
  // What comes of compiling, and where libraries are, is a word of its own.
  return args.flatMap((argument, i) => {
    if (isPath(args[i - 1]) || isPath(argument)) return []
    if (namesHeader(args[i - 1]) || namesHeader(argument)) return [`--cflag=${argument}`]
    return spellOut(argument)
  })
}

/** What follows is where headers are, or a header. */
const namesHeader = (argument: string | undefined): boolean =>
  /^-(?:isystem|iquote|idirafter|include|imacros)$/.test(argument ?? '')

const isPath = (argument: string | undefined): boolean => argument === '-o' || argument === '-L'

export function spellOut(argument: string): string[] {
  // The option parser would read these as bundles of letters.
  if (argument.startsWith('-std=')) return [`-${argument}`]
  if (/^-(?:(?:W|f|m|U|isystem|iquote|idirafter|include|imacros).+|w|ansi|pedantic-errors)$/.test(argument))
    return [`--cflag=${argument}`]
  return isNeedless(argument) ? [] : [argument]
}

/** Threads, the libraries of C and C++ and debug information are there anyway; how to link is not for the user to say. */
function isNeedless(argument: string): boolean {
  return /^-(?:pthread|pthreads|g\d?|ggdb\d?|pedantic|c|v|pg|pipe|static|rdynamic|pie|no-pie|L.+|o.+|l(?:pthread|m|rt|c|stdc\+\+|c\+\+|dl|atomic))$/.test(
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
