export * as build from './build.js'
export { modelMachine } from './model.js'
export * from './program.js'
