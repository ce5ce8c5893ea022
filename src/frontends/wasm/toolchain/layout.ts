import type { Layout } from '../artifact.js'
import type { Instrumented } from '../rewrite/instrument.js'
import { NULL_END, STACK_SIZE } from './flags.js'
import type { LinkMap } from './linkmap.js'

/** The memory map, from the linker's map and the rewriter's additions. */
export function layoutOf(map: LinkMap, memory: Instrumented['memory']): Layout {
  const tls = range(map, ['.tdata', '.tbss'])
  const constants = range(map, ['.rodata'])
  const others = map.segments.map((s) => s.name).filter((name) => !/^\.(?:tdata|tbss|rodata)$/.test(name))
  const data = range(map, others)
  return {
    nullEnd: NULL_END,
    stackStart: 0,
    stackEnd: STACK_SIZE,
    constantStart: constants.start,
    constantEnd: constants.end,
    dataStart: data.start,
    dataEnd: data.end,
    errno: map.variables.find((v) => v.name === 'errno')?.address ?? 0,
    // The linker aligns the block itself to the largest alignment in it; 16 is the most the C ABI asks for.
    tls: { base: tls.start, size: tls.end - tls.start, align: 16 },
    ...memory,
  }
}

function range(map: LinkMap, names: readonly string[]): { start: number; end: number } {
  const segments = map.segments.filter((s) => names.includes(s.name))
  if (segments.length === 0) return { start: STACK_SIZE, end: STACK_SIZE }
  return {
    start: Math.min(...segments.map((s) => s.address)),
    end: Math.max(...segments.map((s) => s.address + s.size)),
  }
}
