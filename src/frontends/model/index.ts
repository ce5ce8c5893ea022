export { modelMachine } from './model.js'
export * from './program.js'
