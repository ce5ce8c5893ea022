import { decode, encode } from './cache.js'
import { BuildError } from './errors.js'
import { type Linked, linkedFrom } from './link.js'

/**
 * What `faultline cc` links: a script that runs the program once, so that it can be called as any other, followed by the
 * linked module and the linker's map, from which `faultline check` makes the rest.
 */
export interface Executable {
  readonly linked: Linked
  /** What was given to the linker. */
  readonly inputs: readonly string[]
  readonly compiler: string
}

const END_OF_SCRIPT = '\n# What follows is a program for Faultline.\n'

interface Stored {
  readonly warnings: string
  readonly inputs: readonly string[]
  readonly compiler: string
}

export function writeExecutable({ linked, inputs, compiler }: Executable, launcher: string): Uint8Array {
  const data: Stored = { warnings: linked.warnings, inputs, compiler }
  const map = new TextEncoder().encode(linked.mapText)
  return Buffer.concat([
    Buffer.from(`${launcher}${END_OF_SCRIPT}`),
    encode({ data, files: [linked.wasm, map] }),
  ])
}

export function readExecutable(bytes: Uint8Array, name: string): Executable {
  const buffer = Buffer.from(bytes)
  const end = buffer.indexOf(END_OF_SCRIPT)
  if (end < 0) {
    throw new BuildError(
      `${name}: this was not linked by faultline cc or faultline c++; name the sources of the program instead, or build it with them (docs/projects.md)`,
    )
  }
  const entry = decode(buffer.subarray(end + END_OF_SCRIPT.length))
  if (entry === undefined) throw new BuildError(`${name}: this program is damaged, link it again`)
  const { warnings, inputs, compiler } = entry.data as Stored
  const [wasm, map] = entry.files
  return { linked: linkedFrom(wasm, new TextDecoder().decode(map), warnings), inputs, compiler }
}

/** Makes the file one that the system can run: the program runs once, under one schedule. */
export function launcherFor(node: string, script: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  return `#!/bin/sh\nexec ${quoted(node)} ${quoted(script)} run "$0" "$@"`
}
