import type { ProgramEngine } from '../program-engine.js'
import { followingReads, type HostFunctions } from './host-reads.js'
import { Interpreter } from './interpreter.js'
import type { Path } from './path.js'
import { Store } from './store.js'

type Imports = Readonly<Record<string, HostFunctions>>

/** Interprets programs, and notes on a path what depends on the input. For one program. */
export function concolicEngine(path: Path): ProgramEngine {
  const store = new Store(path)
  let memory: WebAssembly.Memory
  const bytes = () => new Uint8Array(memory.buffer)
  return {
    name: 'concolic',
    follower: {
      attach: (program) => {
        path.witness = program
      },
      begin: () => path.begin(),
      created: (child) => path.created(child),
      joined: (target) => path.joined(target),
      spun: () => path.spun(),
      printed: (address, size) => path.printed(bytes(), address, size),
    },
    async instantiate(_module, wasm, given) {
      const imports = given as unknown as Imports
      const env = { ...imports.env, ...followingAllocator(path, imports.env, bytes) }
      const followed = {
        ...imports,
        env: followingReads(path, env, bytes),
        fl: followingReads(path, imports.fl, bytes),
        wasi_snapshot_preview1: followingReads(path, imports.wasi_snapshot_preview1, bytes),
      }
      const { exports } = new Interpreter(wasm, followed, store)
      memory = exports.memory as WebAssembly.Memory
      return exports as WebAssembly.Exports
    },
    link: (wasm, program) =>
      new Interpreter(wasm, { program } as unknown as Imports, store).exports as WebAssembly.Exports,
  }
}

/** The host moves and clears blocks without the interpreter seeing it. */
function followingAllocator(path: Path, env: HostFunctions, bytes: () => Uint8Array): HostFunctions {
  const { shadow } = path
  const { __wrap_realloc: realloc, __wrap_calloc: calloc } = env
  return {
    __wrap_realloc: (address, size) => {
      const [start, end] = path.witness.objectAt(address >>> 0) ?? [0, 0]
      const kept = Math.min(end - start, size >>> 0)
      const lifted = shadow.lift(bytes(), start, kept)
      const copy = realloc(address, size)
      if (copy !== 0) shadow.put(bytes(), copy >>> 0, kept, lifted)
      return copy
    },
    __wrap_calloc: (count, size) => {
      const block = calloc(count, size)
      if (block !== 0) shadow.put(bytes(), block >>> 0, (count >>> 0) * (size >>> 0), null)
      return block
    },
  }
}
