/** What about.json says: see README.md. */
export interface About {
  readonly family: string
  readonly wrong: string
  readonly kinds: readonly string[]
  readonly program?: string
  readonly twin?: string
  /** Where the lines that cause the bug are, if not in the program. */
  readonly causeIn?: string
  readonly define?: readonly string[]
  readonly options?: readonly string[]
  readonly input?: string
  readonly threads?: number
  readonly preemptions?: number
  readonly races?: readonly { readonly object: string; readonly does: string }[]
  readonly twinVerdict?: string
  readonly like?: string
}

export interface Entry {
  readonly name: string
  readonly about: About
  /** Of the program with its bug, from the folder of the corpus. */
  readonly file: string
  /** What `faultline check` takes for it. */
  readonly argv: readonly string[]
  /** The same for its repaired twin. */
  readonly twin: readonly string[]
}

export const corpusFolder: string
/** By name. */
export function entries(): Entry[]
export function readEntry(name: string): Entry
export function writeAbout(name: string, about: About): void
/** Lines of a program that cause its bug. */
export function causesOf(entry: Entry): number[]
