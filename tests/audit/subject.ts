import type { Program } from '../../src/frontends/model/program.js'
import type { Artifact } from '../../src/frontends/wasm/index.js'
import type { Machine } from '../../src/machine/machine.js'
import { parsePoints } from '../../src/machine/points.js'
import { type Engine, engine } from '../support/engine.js'
import { argumentsOf, type Scripts } from './scripts.js'

/** What is examined: a model program or a C program. Plain data: sent between processes. */
export type Subject = Program | Scripts

export const isScripts = (subject: Subject): subject is Scripts => 'scripts' in subject

let compiled: Promise<Artifact> | null = null

/** A fresh machine, which knows nothing of earlier executions. */
export async function machineOf(subject: Subject, points: string, tested: Engine = engine): Promise<Machine> {
  const machine = isScripts(subject) ? await runScripts(subject) : tested.modelMachine(subject)
  machine.usePoints(parsePoints(points))
  return machine
}

/** The compiler is loaded only where there is C. */
async function runScripts(program: Scripts): Promise<Machine> {
  const { build, wasmMachine } = await import('../../src/frontends/wasm/index.js')
  compiled ??= build({ sources: ['tests/c/audit.c'] })
  return wasmMachine(await compiled, {
    args: argumentsOf(program),
    platform: { heap: program.heap },
    checkpoints: 'everywhere',
    recall: 'everywhere',
  })
}
