import { passesByValue } from './bitcode.js'
import { withHiddenAccesses } from './hidden-accesses.js'
import type { SourceFile } from './sources.js'

/** Runs a compiler with these arguments besides all others; the object is what comes of it. It reads the code given, if any. */
export type Run<Compiled> = (args: readonly string[], llvm?: Uint8Array) => Promise<Compiled>

/** What asks a compiler for a unit that no pass has looked at: as bitcode, and as text in LLVM's language. */
const AS_BITCODE = ['-emit-llvm', '-Xclang', '-disable-llvm-passes', '-c'] as const
const AS_TEXT = ['-emit-llvm', '-Xclang', '-disable-llvm-passes', '-S'] as const
/** What has one read either. Flags about headers mean nothing then. */
export const FROM_LLVM = ['-Wno-unused-command-line-argument', '-x', 'ir'] as const

/**
 * Structures that are passed by value. The caller's copy is made by the code generator, after the sanitizer's pass has looked at
 * the unit, so that nobody would see the structure being read. Such units are compiled in two steps, and in between each of
 * these arguments becomes a copy that the pass sees. (C++ makes the copy itself, as it does any other; but where code is
 * optimised, that one is found to be superfluous before the pass comes.)
 *
 * Reading the source takes most of the time, so it is read once: bitcode gives the same code. What else the pass would not see
 * (hidden-accesses.ts) is dealt with in the same step.
 */
export async function seeingArguments<
  Compiled extends { readonly object: Uint8Array | undefined; readonly diagnostics: string },
>(source: string, run: Run<Compiled>, mayHideAccesses: boolean): Promise<Compiled> {
  const unit = await run([...AS_BITCODE, source])
  const bitcode = unit.object
  if (bitcode === undefined) return unit
  const isPlain = passesByValue(bitcode) === false && !mayHideAccesses
  const copying = isPlain ? undefined : await withCopiesIn(bitcode, run)
  const compiled = await run([...FROM_LLVM, '-c'], copying ?? bitcode)
  if (compiled.object !== undefined)
    return { ...compiled, diagnostics: unit.diagnostics + compiled.diagnostics }
  // What is wrong with machine code has a line only for who compiles the source.
  return copying === undefined ? run(['-c', source]) : compiled
}

async function withCopiesIn<Compiled extends { readonly object: Uint8Array | undefined }>(
  bitcode: Uint8Array,
  run: Run<Compiled>,
): Promise<Uint8Array | undefined> {
  const { object: text } = await run([...FROM_LLVM, ...AS_TEXT], bitcode)
  if (text === undefined)
    throw new Error('the compiler does not read the bitcode it wrote; please report this')
  const plain = new TextDecoder().decode(text)
  const copying = withCopies(plain) ?? plain
  const seen = withHiddenAccesses(copying) ?? copying
  return seen === plain ? undefined : new TextEncoder().encode(seen)
}

/** Whether a unit with these files could pass a structure: it has to name one, or a type that may be one. */
export function mentionsStructures(files: readonly SourceFile[]): boolean {
  const decoder = new TextDecoder()
  return files.some(({ content }) => NAMES_STRUCTURES.test(decoder.decode(content)))
}

/** What makes one, and the types of the C library that are one and do not say so. */
const NAMES_STRUCTURES =
  /\b(?:struct|union|typedef|typeof|__typeof__|_Complex|complex|(?:l|ll|imax)?div_t|mbstate_t|fpos_t|fd_set|sigset_t|siginfo_t|stack_t|cpu_set_t|max_align_t|regmatch_t)\b/

const COPY = 'llvm.memcpy.p0.p0.i32'

/** The unit with a copy made of every structure right before it is passed; undefined if none is. */
export function withCopies(text: string): string | undefined {
  if (!/^\s.*\b(?:call|invoke)\b.*\bbyval\(/m.test(text)) return undefined
  const lines: string[] = []
  let entry = 0
  let copies = 0
  for (const line of text.split('\n')) {
    if (line.startsWith('define ')) entry = lines.length + 1
    let passing = line
    for (let at = /^\s.*\b(?:call|invoke)\b/.test(line) ? passing.indexOf('byval(') : -1; at >= 0; ) {
      const { type, alignment, from, to } = argumentAt(passing, at + 'byval('.length)
      const copy = `%fl.passed.${copies++}`
      const debug = /, !dbg !\d+/.exec(passing)?.[0] ?? ''
      const size = `ptrtoint (ptr getelementptr (${type}, ptr null, i32 1) to i32)`
      // Volatile, or an optimising compiler would pass the original after all.
      const operands = `ptr align ${alignment} ${copy}, ptr align ${alignment} ${passing.slice(from, to)}, i32 ${size}, i1 true`
      lines.push(`  call void @${COPY}(${operands})${debug}`)
      // In the first block, whose label may be left out.
      const first = /^[\w.$-]+:/.test(lines[entry]) ? entry + 1 : entry
      lines.splice(first, 0, `  ${copy} = alloca ${type}, align ${alignment}`)
      passing = passing.slice(0, from) + copy + passing.slice(to)
      at = passing.indexOf('byval(', at + 1)
    }
    lines.push(passing)
  }
  if (!text.includes(`declare void @${COPY}(`)) lines.push(`declare void @${COPY}(ptr, ptr, i32, i1)`)
  return lines.join('\n')
}

/** What may stand between the type and the pointer itself. */
const ATTRIBUTES =
  /^(?: align \d+| (?!getelementptr|inttoptr|addrspacecast|null|undef|poison)[a-z_]+(?:\([^()]*\))?)*/

/** Of the argument whose type begins there: `%struct.pair) align 4 @s, …`. */
function argumentAt(
  line: string,
  start: number,
): { type: string; alignment: string; from: number; to: number } {
  const end = closing(line, start, ')')
  const rest = line.slice(end + 1)
  const attributes = ATTRIBUTES.exec(rest)?.[0] ?? ''
  const alignment = /\balign (\d+)/.exec(attributes)?.[1] ?? '1'
  const from = end + 1 + attributes.length + 1
  const comma = closing(line, from, ',')
  const last = closing(line, from, ')')
  return { type: line.slice(start, end), alignment, from, to: Math.min(comma, last) }
}

/** Where that character comes next outside of brackets and quoted names, such as that of a structure inside `operator<`. */
function closing(line: string, start: number, wanted: string): number {
  let depth = 0
  for (let i = start; i < line.length; i++) {
    if (depth === 0 && line[i] === wanted) return i
    // A quote within a name is written otherwise.
    if (line[i] === '"') while (line[++i] !== '"' && i < line.length);
    else if ('([{<'.includes(line[i])) depth++
    else if (')]}>'.includes(line[i])) {
      if (depth === 0) return i
      depth--
    }
  }
  return line.length
}
