// Estimated over true number of executions, as a search goes on, on twins that are explored to the end.
import { createStrategy, Forecast, Runner, recursive, weightedBacktrack } from '../../dist/index.js'
import { lines } from './plots.js'
import { clock, machineOf } from './programs.js'

const estimators = { 'weighted backtrack': weightedBacktrack, recursive }
const names = Object.keys(estimators)
/** Per cent of the executions after which the estimate is looked at. */
const moments = [1, 5, 10, 25, 50, 75, 100]
/** Smaller searches say nothing. */
const fewest = 50

export const estimation = {
  name: 'estimation',
  title: 'Estimation',
  share: 0.1,
  subjects: () => names,

  async run(program, estimator, seconds) {
    const machine = await machineOf(program, true)
    const strategy = createStrategy('dpor', { machine })
    const watch = new Forecast(strategy, estimators[estimator])
    const runner = new Runner(machine, { observers: [watch], maxSteps: 20_000 })
    const { isOver } = clock(seconds)
    const sizes = []
    while (runner.run(strategy)) {
      if (runner.status === 'cut' || isOver()) return { truth: null }
      sizes.push(watch.estimate().size)
    }
    const truth = sizes.length
    const at = (percent) => sizes[Math.min(truth - 1, Math.ceil((percent / 100) * truth) - 1)] / truth
    return { truth, ratios: moments.map((percent) => at(percent)) }
  },

  page(programs, resultOf, commandOf) {
    const done = programs.filter((p) => names.every((name) => (resultOf(p, name)?.truth ?? 0) >= fewest))
    if (done.length === 0) return { text: 'Nothing yet.\n', plots: {} }
    const rows = names.flatMap((name) =>
      done.map((p) => {
        const { truth, ratios } = resultOf(p, name)
        return `| ${p.name} | ${name} | ${truth} | ${ratios.map((r) => r.toPrecision(2)).join(' | ')} |\n`
      }),
    )
    return {
      text: `Estimated executions of \`dpor\` over their true number, after so many per cent of them; searches of fewer than ${fewest} are left out.

| twin | estimator | executions | ${moments.map((m) => `${m} %`).join(' | ')} |
|---|---|---|${moments.map(() => '---|').join('')}
${rows.join('')}
![estimates](estimation.svg)

One figure: \`${commandOf(done[0], names[0])}\`
`,
      plots: {
        'estimation.svg': lines({
          title: 'Estimate over truth (logarithmic) after so many per cent of the search',
          moments,
          series: names.map((name) => ({ label: name, values: done.map((p) => resultOf(p, name).ratios) })),
        }),
      },
    }
  },
}
