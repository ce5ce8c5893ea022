import path from 'node:path'
import type { Artifact, CodeSite } from '../artifact.js'
import { frameTable } from '../debug/frames.js'
import { suspendingIn } from '../provided-calls.js'
import { asyncify } from '../rewrite/asyncify.js'
import { WasmFormatError } from '../rewrite/bytes.js'
import { decodeModule } from '../rewrite/decode-module.js'
import { lowerExceptions } from '../rewrite/exceptions.js'
import { instrument, type RawSite } from '../rewrite/instrument.js'
import type { Module } from '../rewrite/module.js'
import type { SuspendingOptions } from '../suspend/suspending.js'
import type { RunTool } from './clang.js'
import { userPaths } from './compile.js'
import { describeFunctions, describeSites, describeVariables } from './describe.js'
import { NoMainError, UnsupportedError } from './errors.js'
import { unknownImports, unsupportedMessage } from './imports.js'
import { layoutOf } from './layout.js'
import type { Linked } from './link.js'
import type { SourceSet } from './sources.js'
import { neverSuspending } from './stdio.js'
import { locate } from './symbols.js'

/** The imports of the hooks that may suspend. */
export const SUSPENDING_HOOKS = ['fl.point', 'fl.loop', 'fl.wait32', 'fl.wait64', 'fl.notify']

/** Where a program comes from. */
export interface Origin {
  /** What the user named. */
  readonly names: readonly string[]
  /** Its sources, as far as they were compiled just now. */
  readonly set: SourceSet
  readonly cwd: string
  /** The bundled tools unless given. */
  readonly run?: RunTool | undefined
}

/** From the linked module to the artifact: instrumented, asyncified, every site with its line. */
export async function finish(linked: Linked, origin: Origin): Promise<Omit<Artifact, 'hash' | 'build'>> {
  const module = decodeModule(linked.wasm)
  const imported = importedFunctions(module)
  if (module.functions.length !== linked.map.functions.length) {
    throw new Error("the linker's map does not fit its output; please report this")
  }
  const isUser = (index: number) => linked.isUserObject(linked.map.functions[index - imported].object)
  const functions = describeFunctions(module, isUser)
  if (!functions.some((f) => f.user && f.name === 'main')) {
    throw new NoMainError(origin.names)
  }
  const { wasm, sites, memory } = instrument(linked.wasm, { isUser })
  const sitesOf = (raw: readonly RawSite[]) => placed(raw, linked, module, origin)
  const unknown = unknownImports(module.imports)
  if (unknown.length > 0) throw await unsupported(unknown, sites, sitesOf)
  const [asyncified, described] = await Promise.all([
    suspendable(wasm, {
      suspending: [...SUSPENDING_HOOKS, ...suspendingIn(module.imports)],
      never: neverSuspending(linked.map, module.imports),
    }),
    sitesOf(sites),
  ])
  return {
    wasm: asyncified,
    sites: described,
    layout: layoutOf(linked.map, memory),
    functions,
    variables: describeVariables(linked.map, linked.isUserObject),
    frames: frameTable(module, module.globalNames.indexOf('__stack_pointer')),
  }
}

async function suspendable(
  wasm: Uint8Array<ArrayBuffer>,
  options: SuspendingOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await asyncify(lowerExceptions(wasm), options)
  } catch (error) {
    if (error instanceof WasmFormatError) throw new UnsupportedError(error.message, [])
    throw error
  }
}

async function placed(
  sites: readonly RawSite[],
  linked: Linked,
  module: Module,
  { set, cwd, run }: Origin,
): Promise<CodeSite[]> {
  const imported = importedFunctions(module)
  const places = sites.map(({ offset, function: index }) => ({
    offset,
    limit: module.bodies[index - imported].end - 1 - module.codeStart,
  }))
  const frames = await locate(linked.wasm, places, (file) => within(cwd, userPaths(file, set.files)), run)
  return describeSites(sites, frames, module.functionNames)
}

/** Files that were compiled earlier are called what they are from here, unless that is a long way. */
function within(cwd: string, file: string): string {
  if (!path.isAbsolute(file) || file.startsWith('/usr/')) return file
  const relative = path.relative(cwd, file)
  return relative.startsWith('../../..') ? file : relative
}

async function unsupported(
  unknown: readonly string[],
  sites: readonly RawSite[],
  sitesOf: (raw: readonly RawSite[]) => Promise<CodeSite[]>,
): Promise<UnsupportedError> {
  const calls = sites.filter((site) => site.callee !== undefined && unknown.includes(site.callee))
  const places = await sitesOf(calls)
  const message = unsupportedMessage(unknown, (name) => {
    const place = places.find((site) => site.callee === name)
    return place?.file === undefined ? undefined : `${place.file}:${place.line}`
  })
  return new UnsupportedError(message, unknown)
}

function importedFunctions(module: Module): number {
  return module.imports.filter((item) => item.kind === 0).length
}
