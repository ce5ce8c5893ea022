import { machineContract } from '../contract/machine.js'
import { times } from '../support/effort.js'
import { load } from './support.js'

/** The engine's contract, on real programs: the counts of classes rest on every line of it. */
const programs = ['counter', 'readers', 'inc', 'mutex-counter', 'store-buffering', 'deadlock']

machineContract(
  'wasm machines',
  {
    ...Object.fromEntries(programs.map((name) => [name, () => load(name)])),
    lastzero: () => load('lastzero', { define: ['N=2'] }),
  },
  { executions: times(6) },
)
