// What each technique adds to how often the class of a race is right: figure 13 of Kasikci, Zamfir and Candea.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { worstOf } from '../dist/classify/classes.js'
import { classifyRaces } from '../dist/classify/classify.js'
import { modelMachine } from '../dist/index.js'
import { raceInputs } from './race-inputs.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Each has what those before it have. */
const techniques = [
  { name: 'single path', primaries: 1, alternates: 0, adHoc: false, inputs: false },
  { name: '+ ad hoc synchronisation', primaries: 1, alternates: 0, adHoc: true, inputs: false },
  { name: '+ multi-path', primaries: 1, alternates: 0, adHoc: true, inputs: true },
  { name: '+ multi-schedule', primaries: 5, alternates: 2, adHoc: true, inputs: true },
]

/** Who does not look for synchronisation by hand cannot tell why the other order does not come about. */
const recognised = (found, { adHoc }) => adHoc || found !== 'single-ordering'

function ofModels(programs, technique) {
  const { primaries, alternates } = technique
  return programs.flatMap(([, program, expected]) => {
    const { races } = classifyRaces(modelMachine(program), { executions: 100, primaries, alternates })
    return Object.entries(expected).map(([object, wanted]) => {
      const own = races.filter(({ cluster }) => cluster.pairs[0].object === object)
      const found = worstOf(own.map((race) => race.class))
      return { wanted, isRight: found === wanted && recognised(found, technique) }
    })
  })
}

/** With its own input unless the technique has others. */
function inC(number, { primaries, alternates, inputs }) {
  const args = ['bin/faultline.js', 'races', 'tests/c/race-inputs.c', '--json', '--quiet']
  const options = ['--primaries', primaries, '--alternates', alternates, ...(inputs ? ['--symbolic'] : [])]
  const own = Array(number).fill('.')
  try {
    return execFileSync(process.execPath, [...args, ...options.map(String), '--', ...own], { cwd: root })
  } catch (error) {
    // The exit code tells of races that do harm.
    return error.stdout
  }
}

function ofInputs(technique) {
  return raceInputs.map(([, number, , wanted]) => {
    const { races } = JSON.parse(inC(number, technique))
    const found = worstOf(races.map((race) => race.class))
    return { wanted, isRight: found === wanted && recognised(found, technique) }
  })
}

/**
 * Rows of a table.
 * @param {readonly any[]} programs
 * @returns {string[][]}
 */
export function techniqueRows(programs) {
  const rows = [['accuracy by technique', 'models', 'with inputs, in C', 'all']]
  for (const technique of techniques) {
    const models = ofModels(programs, technique)
    const inputs = ofInputs(technique)
    const cells = [models, inputs, [...models, ...inputs]].map((results) => {
      const right = results.filter(({ isRight }) => isRight).length
      return `${((100 * right) / results.length).toFixed(0)} % (${right}/${results.length})`
    })
    rows.push([technique.name, ...cells])
  }
  return rows
}
