// Best-first search (Gambit, table 2 and figure 5): executions to the first bug by priority, and how the tree grows.
import { createStrategy, explore, modelMachine } from '../dist/index.js'
import { treeOf } from '../dist/strategies/best-first/best-first.js'
import { boundedBuffer, buggyPrograms } from './buggy-programs.js'
import { grouped, median, table } from './measure.js'

const limit = 20_000
const seeds = [1, 2, 3, 4, 5]

/** Number of the first execution with a bug (blocked ones counted), or Infinity. */
function executionsToBug(program, spec, bound, seed = 1) {
  const machine = modelMachine(program)
  const strategy = createStrategy(spec, { machine, bound, seed })
  const { firstBug } = explore({ machine, strategy, maxExecutions: limit, maxSteps: 2000 })
  return firstBug?.execution ?? Infinity
}

const shown = (n) => (Number.isFinite(n) ? grouped(n) : '–')

function compareOrders(title, subjects) {
  console.log(`\n${title}; – is none in ${grouped(limit)}, rand is the median of ${seeds.length} seeds`)
  const found = subjects.map(() => 0)
  const rows = buggyPrograms.map((program) => [
    program.name,
    ...subjects.map(({ spec, bound }, i) => {
      const runs = spec.includes('rand') ? seeds : [1]
      const n = median(runs.map((seed) => executionsToBug(program, spec, bound, seed)))
      if (Number.isFinite(n)) found[i]++
      return shown(n)
    }),
  ])
  table([['', ...subjects.map(({ label }) => label)], ...rows, ['bugs found', ...found.map(String)]])
}

/** Live nodes at every `interval` executions. */
function memoryCurve(spec, bound, executions, interval) {
  const machine = modelMachine(boundedBuffer)
  const strategy = createStrategy(spec, { machine, bound })
  const curve = []
  let n = 0
  const result = explore({
    machine,
    strategy,
    keepGoing: true,
    maxExecutions: executions,
    onExecution() {
      if (n++ % interval === 0) curve.push(treeOf(strategy).live)
    },
  })
  const { created, peak, bytesPerNode, bytesPerNodeInAll, records } = treeOf(strategy)
  console.log(
    `\n${boundedBuffer.name}, ${spec}${bound === undefined ? '' : `, at most ${bound} preemptions`}: ` +
      `${grouped(n)} executions${result.exhausted ? ', all' : ''}, ${grouped(created)} nodes, at most ${grouped(peak)} ` +
      `alive (${(peak / created).toFixed(2)} of all): ${grouped((peak * bytesPerNode) / 1000)} kB of tree at ` +
      `${bytesPerNode} bytes, ${grouped((peak * bytesPerNodeInAll) / 1000)} kB with the fringe; ` +
      `${grouped(records)} records of siblings left`,
  )
  const height = Math.max(...curve, 1)
  for (let row = 0; row < curve.length; row++) {
    const bar = '█'.repeat(Math.round((curve[row] / height) * 60))
    console.log(`${grouped(row * interval).padStart(9)} ${grouped(curve[row]).padStart(8)} ${bar}`)
  }
}

export default function bestFirst() {
  const over = (order) => ({ label: order, spec: `best-first:${order}` })
  compareOrders('Executions to the first bug, over partial-order reduction', [
    { label: 'depth first', spec: 'source' },
    ...['pb', 'mdpor', 'mdpor,pb', 'dpor,pb', 'rand', 'mdpor,rand'].map(over),
  ])
  const bound = 2
  const within = (order) => ({ label: order, spec: `best-first:${order}`, bound })
  compareOrders(`Executions to the first bug, at most ${bound} preemptions`, [
    // One bin: a stack, which is depth-first search.
    { label: 'depth first', spec: 'best-first:var(nothing)', bound },
    ...['pb', 'dpor', 'mdpor', 'ss', 'ss,dpor', 'ss,mdpor', 'rand'].map(within),
  ])
  console.log(
    '\nThe memory curve (figure 5): live nodes over executions. The paper, on another program: over DPOR with',
  )
  console.log(
    'mdpor,pb without sleep sets 326 743 executions and never more than 90 159 live nodes (0.28 of all).',
  )
  memoryCurve('best-first:no-sleep,mdpor,pb', undefined, 60_000, 3_000)
  memoryCurve('best-first:mdpor,pb', undefined, 60_000, 3_000)
  memoryCurve('best-first:mdpor', bound, 60_000, 3_000)
}
