import { hasBareAtomics } from '../rewrite/bare-atomics.js'
import type { SourceFile } from './sources.js'

/**
 * Accesses that the sanitizer's pass leaves alone, so that nobody would see them: atomic updates that it has no function for
 * (the greater or smaller of two numbers, sums of fractions), and vectors longer than 16 bytes. In LLVM's text such an update
 * becomes what it is compiled to anyway, a loop around a compare-exchange, early enough for the pass to see it; in front of an
 * access to a long vector comes a call that logs it.
 */
export function withHiddenAccesses(text: string): string | undefined {
  if (!UPDATE.test(text) && !LONG_VECTOR.test(text)) return undefined
  const features = /"target-cpu"="[^"]*" "target-features"="[^"]*"/.exec(text)?.[0] ?? ''
  const helpers = new Map<string, string>()
  const lines = text.split('\n').flatMap((line) => {
    const update = UPDATE.exec(line)
    if (update?.groups) {
      const found = update.groups as unknown as Update
      const name = `fl.${found.operation}.${found.type}.${found.order}`
      if (!helpers.has(name)) helpers.set(name, helperFor(name, found, features))
      const { result = '', type, pointer, value, debug } = found
      return `  ${result}call ${type} @${name}(ptr ${pointer}, ${type} ${value})${debug}`
    }
    const vector = LONG_VECTOR.exec(line)
    const size = vector?.groups ? sizeOf(vector.groups.elements, vector.groups.type) : 0
    if (!vector?.groups || SEEN.has(size)) return line
    const { store, pointer } = vector.groups
    const debug = /, !dbg !\d+/.exec(line)?.[0] ?? ''
    return [`  call void @${store ? 'fl_writes' : 'fl_reads'}(ptr ${pointer}, i32 ${size})${debug}`, line]
  })
  for (const name of ['fl_reads', 'fl_writes'])
    if (!new RegExp(`^(?:declare|define) .*@${name}\\(`, 'm').test(text))
      helpers.set(name, `declare void @${name}(ptr, i32)`)
  return [...lines, ...helpers.values()].join('\n')
}

/** Compiles a unit, in the way that shows hidden accesses if it turns out to have any. */
export async function seeingAll<
  Compiled extends { readonly object: Uint8Array | undefined; readonly diagnostics: string },
>(
  files: readonly Pick<SourceFile, 'content'>[],
  compile: (mayHide: boolean) => Promise<Compiled>,
): Promise<Compiled> {
  const decoder = new TextDecoder()
  const hasVectors = files.some(({ content }) => MAKES_VECTORS.test(decoder.decode(content)))
  const compiled = await compile(hasVectors)
  if (compiled.object === undefined || !hasBareAtomics(compiled.object)) return compiled
  const again = hasVectors ? compiled : await compile(true)
  if (again.object === undefined || !hasBareAtomics(again.object)) return again
  const diagnostics = `${again.diagnostics}error: the unit has an atomic operation that Faultline does not know\n`
  return { ...again, object: undefined, diagnostics }
}

const MAKES_VECTORS = /\b(?:__)?(?:ext_)?vector_size|\b(?:__)?ext_vector_type/

/** What a line with such an update is made of. */
interface Update {
  readonly result?: string
  readonly operation: keyof typeof operations
  readonly pointer: string
  readonly type: string
  readonly value: string
  readonly order: keyof typeof failureOrders
  readonly debug: string
}

const UPDATE =
  /^ {2}(?<result>%[^ ]+ = )?atomicrmw (?:volatile )?(?<operation>u?max|u?min|fadd|fsub|fmax|fmin) ptr (?<pointer>\S+|.+?\)), (?<type>i8|i16|i32|i64|float|double) (?<value>[^ ,]+|bitcast \(.*?\)) (?:syncscope\("[^"]*"\) )?(?<order>monotonic|acquire|release|acq_rel|seq_cst)(?:, align \d+)?(?<debug>(?:, !dbg !\d+)?)/m

/** The order that a compare-exchange may have where it fails. */
const failureOrders = {
  monotonic: 'monotonic',
  acquire: 'acquire',
  release: 'monotonic',
  acq_rel: 'acquire',
  seq_cst: 'seq_cst',
} as const

/** From `%old` and `%value` to `%new`. */
const operations = {
  max: 'icmp sgt',
  min: 'icmp slt',
  umax: 'icmp ugt',
  umin: 'icmp ult',
  fadd: 'fadd',
  fsub: 'fsub',
  fmax: 'fcmp ogt',
  fmin: 'fcmp olt',
} as const

/** A function that is inlined before the pass comes, at any level of optimisation: its accesses are at the line of the call. */
function helperFor(name: string, { operation, type, order }: Update, features: string): string {
  const verb = operations[operation]
  const number = type === 'float' ? 'i32' : type === 'double' ? 'i64' : type
  const align = { i8: 1, i16: 2, i32: 4, i64: 8 }[number]
  const cast = (to: string, from: string, of: string, as: string) =>
    of === as ? `  ${to} = freeze ${of} ${from}` : `  ${to} = bitcast ${of} ${from} to ${as}`
  // Of a number and what is none, the number is both the greater and the smaller.
  const isNone = verb.startsWith('fcmp') ? [`  %none = fcmp uno ${type} %value, %value`] : []
  const compute = verb.includes(' ')
    ? [
        `  %wins = ${verb} ${type} %old, %value`,
        ...isNone,
        `  %keeps = or i1 %wins, ${isNone.length > 0 ? '%none' : 'false'}`,
        `  %new = select i1 %keeps, ${type} %old, ${type} %value`,
      ]
    : [`  %new = ${verb} ${type} %old, %value`]
  return [
    `define internal ${type} @${name}(ptr %object, ${type} %value) alwaysinline nounwind sanitize_thread ${features} {`,
    'begin:',
    `  %first = load atomic ${number}, ptr %object monotonic, align ${align}`,
    '  br label %again',
    'again:',
    `  %found = phi ${number} [ %first, %begin ], [ %there, %again ]`,
    cast('%old', '%found', number, type),
    ...compute,
    cast('%wanted', '%new', type, number),
    `  %pair = cmpxchg ptr %object, ${number} %found, ${number} %wanted ${order} ${failureOrders[order]}, align ${align}`,
    `  %there = extractvalue { ${number}, i1 } %pair, 0`,
    `  %done = extractvalue { ${number}, i1 } %pair, 1`,
    '  br i1 %done, label %end, label %again',
    'end:',
    `  ret ${type} %old`,
    '}',
  ].join('\n')
}

const LONG_VECTOR =
  /^ {2}(?:%[^ ]+ = load |(?<store>store ))(?:volatile )?<(?<elements>\d+) x (?<type>i\d+|half|bfloat|float|double|fp128|ptr)>(?: [^,]+|(?: <.*>))?, ptr (?<pointer>\S+|getelementptr.*?\)), align/m

/** In bytes, of accesses that the pass sees. */
const SEEN: ReadonlySet<number> = new Set([1, 2, 4, 8, 16])

const bits: Readonly<Record<string, number>> = {
  half: 16,
  bfloat: 16,
  float: 32,
  double: 64,
  fp128: 128,
  ptr: 32,
}

function sizeOf(elements: string, type: string): number {
  return Math.ceil((Number(elements) * (bits[type] ?? Number(type.slice(1)))) / 8)
}
