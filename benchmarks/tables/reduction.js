// Executions per class of each reduction, on the repaired twins.
import { createStrategy, explore, Fingerprint } from '../../dist/index.js'
import { clock, machineOf } from './programs.js'

const reductions = ['dpor', 'source', 'optimal']
const mostExecutions = 20_000

function times(result) {
  if (!result) return ''
  if (!result.isWhole) return '–'
  return `${(result.executions / result.classes).toFixed(2)} (${result.executions})`
}

export const reduction = {
  name: 'reduction',
  title: 'Reduction',
  share: 0.1,
  subjects: () => reductions,

  async run(program, strategy, seconds) {
    const machine = await machineOf(program, true)
    const { isOver } = clock(seconds)
    const fingerprint = new Fingerprint(machine)
    const classes = new Set()
    const { exhausted, executions, blocked, cut } = explore({
      machine,
      strategy: createStrategy(strategy, { machine }),
      observers: [{ footprints: true }],
      keepGoing: true,
      maxSteps: 20_000,
      maxExecutions: mostExecutions,
      outOfTime: isOver,
      onExecution: ({ trace, status }) => {
        if (status !== 'blocked') classes.add(fingerprint.of(trace, status))
      },
    })
    return { executions: executions + blocked, classes: classes.size, isWhole: exhausted && cut === 0 }
  },

  page(programs, resultOf, commandOf) {
    const done = programs.filter((p) => resultOf(p, 'optimal')?.isWhole)
    if (done.length === 0) return { text: 'Nothing yet.\n', plots: {} }
    const rows = done.map((p) => {
      const { classes } = resultOf(p, 'optimal')
      return `| ${p.name} | ${classes} | ${reductions.map((name) => times(resultOf(p, name))).join(' | ')} |\n`
    })
    return {
      text: `Executions per class, blocked ones counted, and how many there were; – was not done in the time given.

| twin | classes | ${reductions.join(' | ')} |
|---|---|${reductions.map(() => '---|').join('')}
${rows.join('')}
One figure: \`${commandOf(done[0], 'optimal')}\`
`,
      plots: {},
    }
  },
}
