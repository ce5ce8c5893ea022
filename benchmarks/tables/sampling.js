// Hit ratios of samplers (table 3 of Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling", CAV 2018).
import { createStrategy, explore } from '../../dist/index.js'
import { dots } from './plots.js'
import { clock, machineOf } from './programs.js'

/** By our names of the samplers: what the paper calls them. */
const samplers = {
  random: 'RW',
  'pct:2': 'PCT-2',
  'pct:3': 'PCT-3',
  'pct:4': 'PCT-4',
  'pct:5': 'PCT-5',
  'pct:20': 'PCT-20',
  pos: 'POS',
  surw: 'SURW',
}
const names = Object.keys(samplers)
const mostSamples = 20_000

/** The paper's figures, in the order above, of programs that ours correspond to. */
const published = {
  reorder_3_bad: [0.0246, 0.0255, 0.0457, 0.058, 0.066, 0.092, 0.0997],
  reorder_4_bad: [0.0074, 0.0118, 0.0206, 0.0263, 0.0294, 0.0294, 0.0795],
  reorder_5_bad: [0.0018, 0.0061, 0.011, 0.0122, 0.0126, 0.0089, 0.0668],
  reorder_10_bad: [0, 0.0007, 0.0014, 0.0017, 0.0021, 0, 0.0308],
  reorder_20_bad: [0, 0.0015, 0.0027, 0.004, 0.0043, 0.0021, 0.1709],
  twostage_bad: [0.0806, 0.1213, 0.1959, 0.2448, 0.2804, 0.2579, 0.1212],
  twostage_100_bad: [0, 0, 0, 0.0002, 0.0002, 0, 0.0047],
}

/** The Wilson interval at 95 %. */
function interval(hits, samples) {
  const z = 1.96
  const p = hits / samples
  const middle = p + (z * z) / (2 * samples)
  const spread = z * Math.sqrt((p * (1 - p)) / samples + (z * z) / (4 * samples * samples))
  const scale = 1 + (z * z) / samples
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)]
}

const figure = (ratio) => (ratio === 0 ? '0' : ratio.toPrecision(2))

/** What none hit counts as one hit in all samples, as in the paper. */
const counted = ({ hits, samples }) => Math.max(hits, 1) / samples

function mean(ratios) {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
}

/** Programs that all samplers hit in more than half of their tries say nothing, as in the paper. */
function tellingRows(programs, resultOf) {
  return programs
    .map((program) => ({ program, results: names.map((name) => resultOf(program, name)) }))
    .filter(({ results }) => results.every(Boolean))
    .filter(({ results }) => results.some(({ hits, samples }) => hits <= samples / 2))
    .filter(({ results }) => results.some(({ hits }) => hits > 0))
}

export const sampling = {
  name: 'sampling',
  title: 'Sampling',
  share: 0.3,
  subjects: () => names,

  async run(program, sampler, seconds) {
    const machine = await machineOf(program)
    const strategy = createStrategy(sampler, { machine, seed: 1 })
    const { isOver } = clock(seconds)
    let samples = 0
    const { failures } = explore({
      machine,
      strategy,
      keepGoing: true,
      maxSteps: 20_000,
      maxExecutions: mostSamples,
      outOfTime: isOver,
      onExecution: () => samples++,
    })
    return { hits: failures, samples }
  },

  page(programs, resultOf, commandOf) {
    const rows = tellingRows(programs, resultOf)
    if (rows.length === 0) return { text: 'Nothing yet.\n', plots: {} }
    const cell = ({ hits, samples }) => {
      const [low, high] = interval(hits, samples)
      return `${figure(hits / samples)} (${figure(low)}–${figure(high)})`
    }
    const head = `| program | ${names.map((name) => samplers[name]).join(' | ')} |\n|---|${names.map(() => '---|').join('')}\n`
    const lines = rows.map(
      ({ program, results }) => `| ${program.name} | ${results.map(cell).join(' | ')} |\n`,
    )
    const means = names.map((_, i) => mean(rows.map(({ results }) => counted(results[i]))))
    const alike = rows.filter(({ program }) => published[program.about.like])
    const beside = alike.map(({ program, results }) => {
      const theirs = published[program.about.like]
      const pairs = names.map((_, i) =>
        theirs[i] === undefined
          ? figure(results[i].hits / results[i].samples)
          : `${figure(results[i].hits / results[i].samples)} / ${figure(theirs[i])}`,
      )
      return `| ${program.name} (${program.about.like}) | ${pairs.join(' | ')} |\n`
    })
    return {
      text: `How often a sample shows the bug, with its interval at 95 %. Programs that every sampler hits in more than half of its tries
are left out, and so are those that none hits. The geometric mean counts no hit as one in all samples, as the paper does.

${head}${lines.join('')}| **geometric mean** | ${means.map((m) => `**${figure(m)}**`).join(' | ')} |

![hit ratios](sampling.svg)

Beside the paper's figures (ours / theirs), where a program of ours has the threads and accesses of one of SCTBench:

${head}${beside.join('')}
One figure: \`${commandOf(rows[0].program, 'pos')}\`
`,
      plots: {
        'sampling.svg': dots({
          title: 'Part of the samples that show the bug (logarithmic)',
          rows: rows.map(({ program, results }) => ({ label: program.name, values: results.map(counted) })),
          series: names.map((name) => samplers[name]),
        }),
      },
    }
  },
}
