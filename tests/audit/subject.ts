import type { Program } from '../../src/frontends/model/program.js'
import type { Artifact } from '../../src/frontends/wasm/index.js'
import type { Machine } from '../../src/machine/machine.js'
import { parsePoints } from '../../src/machine/points.js'
import { type Engine, engine } from '../support/engine.js'
import { argumentsOf, cancels, type Scripts } from './scripts.js'

/** What is examined: a model program or a C program. Plain data: sent between processes. */
export type Subject = Program | Scripts

export const isScripts = (subject: Subject): subject is Scripts => 'scripts' in subject

const compiled = new Map<string, Promise<Artifact>>()

/** A fresh machine, which knows nothing of earlier executions. */
export async function machineOf(subject: Subject, points: string, tested: Engine = engine): Promise<Machine> {
  const machine = isScripts(subject) ? await runScripts(subject) : tested.modelMachine(subject)
  machine.usePoints(parsePoints(points))
  return machine
}

/** The compiler is loaded only where there is C. */
async function runScripts(program: Scripts): Promise<Machine> {
  const { build, wasmMachine } = await import('../../src/frontends/wasm/index.js')
  const flags = cancels(program) ? ['-DCANCELS'] : []
  const key = flags.join()
  if (!compiled.has(key)) compiled.set(key, build({ sources: ['tests/c/audit.c'], flags }))
  return wasmMachine(await compiled.get(key)!, {
    args: argumentsOf(program),
    platform: { heap: program.heap },
    checkpoints: 'everywhere',
    recall: 'everywhere',
  })
}
