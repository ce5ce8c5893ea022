import {
  type CodeFunction,
  type CodeSite,
  START_WITHOUT_ARGUMENT,
  START_WITHOUT_RESULT,
  type StartType,
  type Variable,
} from '../artifact.js'
import type { RawSite } from '../rewrite/instrument.js'
import type { FunctionType, Module } from '../rewrite/module.js'
import type { LinkMap } from './linkmap.js'
import type { Frame } from './symbols.js'

/** Gives every site its place in the source and a unique name. */
export function describeSites(
  sites: readonly RawSite[],
  frames: readonly (readonly Frame[])[],
  functionNames: readonly string[],
): CodeSite[] {
  const taken = new Map<string, number>()
  return sites.map((site, i) => {
    // The outermost frame is the function of the module; its name there has the scope, too.
    const container = sourceName(functionNames[site.function] ?? '?')
    const [inner, ...outer] = frames[i].map((frame, depth) =>
      depth === frames[i].length - 1 ? { ...frame, function: container } : frame,
    )
    const known = inner?.file !== undefined && inner.line !== undefined
    const place = known ? `${inner.file}:${inner.line}:${inner.column ?? 0}` : `${container}+${site.offset}`
    const base = `${place}:${site.kind}`
    const count = (taken.get(base) ?? 0) + 1
    taken.set(base, count)
    return {
      name: count === 1 ? base : `${base}#${count}`,
      kind: site.kind,
      size: site.size,
      offset: site.offset,
      function: inner?.function ?? container,
      ...(known ? { file: inner.file!, line: inner.line!, column: inner.column ?? 0 } : {}),
      ...(outer.length > 0 ? { inlined: outer.map(inlinedFrame) } : {}),
      ...(site.callee === undefined ? {} : { callee: site.callee }),
      ...(site.end === undefined ? {} : { end: site.end }),
      ...(site.frame === undefined ? {} : { frame: site.frame }),
      ...(site.catches === undefined ? {} : { catches: site.catches }),
    }
  })
}

function inlinedFrame(frame: Frame): { function: string; file?: string; line?: number } {
  return {
    function: frame.function,
    ...(frame.file === undefined ? {} : { file: frame.file }),
    ...(frame.line === undefined ? {} : { line: frame.line }),
  }
}

export function describeFunctions(module: Module, isUser: (index: number) => boolean): CodeFunction[] {
  const imported = module.imports.filter((item) => item.kind === 0).length
  const pointers = new Map<number, number[]>()
  for (const segment of module.elements) {
    segment.functions.forEach((f, slot) => {
      if (segment.offset >= 0) pointers.set(f, [...(pointers.get(f) ?? []), segment.offset + slot])
    })
  }
  return module.functions.map((_, i) => {
    const symbol = module.functionNames[imported + i] ?? ''
    return {
      name: sourceName(symbol),
      symbol,
      pointers: pointers.get(imported + i) ?? [],
      user: isUser(imported + i),
      ...startTypeOf(module.types[module.functions[i]]),
    }
  })
}

const I32 = 0x7f

/** How a thread can be started in a function, if that takes and returns other things than it should. */
function startTypeOf({ parameters, results }: FunctionType): { startType?: StartType } {
  const isWord = (types: ArrayLike<number>) => types.length === 1 && types[0] === I32
  if (parameters.length > 0 && !isWord(parameters)) return {}
  if (results.length > 0 && !isWord(results)) return {}
  const type =
    (parameters.length === 0 ? START_WITHOUT_ARGUMENT : 0) | (results.length === 0 ? START_WITHOUT_RESULT : 0)
  return type === 0 ? {} : { startType: type }
}

export function describeVariables(map: LinkMap, isUserObject: (object: string) => boolean): Variable[] {
  return map.variables
    .filter((v) => v.size > 0 && isUserObject(v.object) && !/^\.t(?:data|bss)/.test(v.segment))
    .map(({ name, address, size }) => ({ name: sourceName(name), address, size }))
    .sort((a, b) => a.address - b.address)
}

/** What tells versions of a library apart. */
const ABI_TAGS = /\[abi:[^\]]*\]/g

/** What compilers call the function that is written as `main`, alone or before a static variable's name. */
const MAIN = /^(?:__(?:main_argc_argv|main_void|original_main)|fl_void_main(?:_args)?)(?=\.|$)/

/** What Rust appends to names. */
const RUST_HASH = /::h[0-9a-f]{16}$/

/** The name a person knows: `main` as it was written, C++ names without their parameters. */
export function sourceName(symbol: string): string {
  return withoutParameters(symbol.replace(MAIN, 'main').replace(ABI_TAGS, '').replace(RUST_HASH, ''))
}

function withoutParameters(name: string): string {
  const trimmed = name.replace(/(?:\s+(?:const|volatile|&&?|noexcept|\[clone [^\]]*\]))+$/, '')
  if (!trimmed.endsWith(')')) return name
  let depth = 0
  for (let i = trimmed.length - 1; i > 0; i--) {
    if (trimmed[i] === ')') depth++
    else if (trimmed[i] === '(' && --depth === 0) return trimmed.slice(0, i)
  }
  return name
}
