export * as build from './build.js'
export type { GeneratorProgram, Operation, Operations, ThreadCode, ThreadFunction } from './generator.js'
export { modelMachine } from './model.js'
export * from './program.js'
