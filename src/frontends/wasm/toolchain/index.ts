import { createHash } from 'node:crypto'
import path from 'node:path'
import type { Artifact, CodeFunction, CodeSite, Layout } from '../artifact.js'
import { asyncify } from '../rewrite/asyncify.js'
import { type Instrumented, instrument } from '../rewrite/instrument.js'
import { decodeModule } from '../rewrite/module.js'
import { suspending } from '../wraps.js'
import { type CompileOptions, compile, isCxx, userFlags, userPaths } from './compile.js'
import { NULL_END, STACK_SIZE } from './flags.js'
import { type Linked, link } from './link.js'
import { compileRuntime, readRuntime } from './runtime.js'
import { readSources, type SourceFile } from './sources.js'
import { symbolise } from './symbols.js'

export interface BuildOptions {
  /** C or C++ sources, relative to `cwd` or absolute. */
  readonly sources: readonly string[]
  readonly include?: readonly string[]
  readonly define?: readonly string[]
  /** `0` unless asked: at higher levels repeated accesses merge and loops lose theirs. */
  readonly optimize?: string
  readonly standard?: string
  readonly flags?: readonly string[]
  readonly cwd?: string
}

const HOOKS = ['fl.point', 'fl.loop']

/** Compiles, links, instruments and asyncifies a program. */
export async function build(options: BuildOptions): Promise<Artifact> {
  const cwd = options.cwd ?? process.cwd()
  const include = options.include ?? []
  const [set, runtimeFiles] = await Promise.all([
    readSources({ sources: options.sources, include, cwd }),
    readRuntime(),
  ])
  const compileOptions: CompileOptions = {
    include: include.map((i) => path.resolve(cwd, i)),
    define: options.define ?? [],
    optimize: options.optimize ?? '0',
    ...(options.standard ? { standard: options.standard } : {}),
    flags: options.flags ?? [],
  }
  const { objects } = await compile(set, compileOptions, runtimeFiles.headers)
  const runtime = await compileRuntime(runtimeFiles)
  const linked = await link({ user: objects, runtime, cxx: options.sources.some(isCxx) })

  const module = decodeModule(linked.wasm)
  const imported = module.imports.filter((item) => item.kind === 0).length
  const instrumented = instrument(linked.wasm, {
    isUser: (index) => linked.isUserObject(linked.map.functions[index - imported].object),
  })
  const [wasm, frames] = await Promise.all([
    asyncify(instrumented.wasm, [...HOOKS, ...suspending]),
    symbolise(
      linked.wasm,
      instrumented.sites.map((site) => site.offset),
    ),
  ])
  const sites = instrumented.sites.map((site, i): CodeSite => {
    const [inner, ...outer] = frames[i]
    const place = inner?.file ? { file: userPaths(inner.file, set.files) } : {}
    return {
      name: siteName(set.files, inner?.file, inner?.line, inner?.column),
      kind: site.kind,
      size: site.size,
      offset: site.offset,
      function: inner?.function ?? module.functionNames[site.function],
      ...place,
      ...(inner?.line ? { line: inner.line } : {}),
      ...(inner?.column ? { column: inner.column } : {}),
      ...(outer.length > 0 ? { inlined: outer } : {}),
      ...(site.callee ? { callee: site.callee } : {}),
    }
  })
  const functions = module.functions.map((_, i): CodeFunction => {
    const symbol = module.functionNames[imported + i]
    const pointers = module.elements.flatMap((e) =>
      e.functions.flatMap((f, slot) => (f === imported + i ? [e.offset + slot] : [])),
    )
    return { name: symbol, symbol, pointers, user: linked.isUserObject(linked.map.functions[i].object) }
  })
  return {
    wasm,
    hash: createHash('sha256').update(wasm).digest('hex'),
    sites,
    layout: layoutOf(linked, instrumented, module.memory.minimum),
    functions,
    build: { sources: options.sources, flags: userFlags(compileOptions), compiler: 'clang', cached: false },
  }
}

function siteName(files: readonly SourceFile[], file?: string, line?: number, column?: number): string {
  return `${file ? userPaths(file, files) : '?'}:${line ?? 0}:${column ?? 0}`
}

function layoutOf({ map }: Linked, { memory }: Instrumented, _pages: number): Layout {
  const writable = map.segments.filter((s) => s.name !== '.rodata' && s.name !== '.tdata')
  const start = Math.min(...map.segments.map((s) => s.address))
  const end = Math.max(...map.segments.map((s) => s.address + s.size))
  const tls = map.segments.find((s) => s.name === '.tdata')
  return {
    nullEnd: NULL_END,
    stackStart: 0,
    stackEnd: STACK_SIZE,
    dataStart: Math.min(start, ...writable.map((s) => s.address)),
    dataEnd: end,
    errno: map.variables.find((v) => v.name === 'errno')?.address ?? 0,
    tls: { base: tls?.address ?? 0, size: tls?.size ?? 0, align: 16 },
    ...memory,
  }
}
