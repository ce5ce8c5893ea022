import type { SourceText } from './source-text.js'

/** Bytes of the types that arrays of shared variables mostly have, on the machine that programs are compiled for. */
const sizes: readonly (readonly [RegExp, number])[] = [
  [/\b(?:long\s+long|atomic_u?llong|double|u?int64_t|atomic_u?int64_t)\b/, 8],
  [/\b(?:bool|_Bool|atomic_bool|atomic_flag|char|atomic_[su]?char|u?int8_t|atomic_u?int8_t)\b/, 1],
  [/\b(?:short|atomic_u?short|u?int16_t|atomic_u?int16_t)\b/, 2],
  [
    /\b(?:int|unsigned|long|float|size_t|atomic_u?(?:int|long)|u?int32_t|atomic_u?int32_t|atomic_size_t)\b/,
    4,
  ],
]

/**
 * Elements of static arrays by index: `wants+4` becomes `wants[1]` where the file declares `int wants[2]`. Whatever is
 * not plainly declared like that keeps its name.
 */
export function nameElements(text: string, file: string, sources: SourceText): string {
  return text.replace(/\b([A-Za-z_]\w*)(?:\+(\d+))?(?=,|$)/g, (whole, variable: string, offset = '0') => {
    const size = elementSize(variable, file, sources)
    const index = Number(offset) / (size ?? Number.NaN)
    return Number.isInteger(index) ? `${variable}[${index}]` : whole
  })
}

function elementSize(variable: string, file: string, sources: SourceText): number | undefined {
  const declared = new RegExp(`^([^(){}=]*?)(\\*?)\\s*\\b${variable}\\s*\\[[^\\]]+\\](?!\\s*\\[)[^(){}]*;`)
  for (const line of sources.lines(file)) {
    const [, type, pointer] = declared.exec(line) ?? []
    if (type === undefined) continue
    if (pointer) return 4
    const known = sizes.find(([name]) => name.test(type))
    if (known) return known[1]
  }
  return undefined
}
