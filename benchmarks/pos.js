// The samplers on the micro-benchmark of the POS paper: the least hit ratio over all partial orders of a program.
// npm run bench -- pos [--samples N] [--programs N]
import { countRaces, createStrategy, Fingerprint, modelMachine, Runner } from '../dist/index.js'
import { grouped, table } from './measure.js'
import * as paper from './micro/paper.js'
import { analyse, generate, sizes, toModel } from './micro/programs.js'

/** Our names of the paper's samplers; PCT gets the depth that the program needs, and its length. */
const specs = {
  PCT: ({ preemptions, events }) => `pct:${preemptions + 1},${events}`,
  RAPOS: () => 'rapos',
  BasicPOS: () => 'basic-pos',
  POS: () => 'pos:strict',
  'POS*': () => 'pos',
}

const defaults = { samples: 200_000, programs: 1 }
const small = { samples: 100_000, programs: 5 }

export default function pos(words) {
  const options = { ...defaults }
  for (let i = 0; i < words.length; i += 2) {
    const name = words[i].replace(/^--/, '')
    const number = Number(words[i + 1])
    if (!(name in options) || !(number >= 1)) {
      console.error('usage: npm run bench -- pos [--samples N] [--programs N]')
      process.exitCode = 2
      return
    }
    options[name] = Math.floor(number)
  }
  console.log(
    'The least hit ratio over all partial orders of a program. Random walk (RW) is exact. 0(n): only n partial orders\n' +
      'were hit, not all; counts as 1/samples in the mean.\n',
  )
  console.log(
    `4 threads × 4 events over 4 objects, as in the paper: ${grouped(options.samples)} samples per program and sampler,\n` +
      `1/${Math.round(paper.samples / options.samples)} of the paper's, and ${options.programs} of 5 programs per configuration. ` +
      `With so few, ${(1 / options.samples).toExponential(1)} means\n"not covered"; a tenth of the paper, in ` +
      'an hour or two: --samples 5000000 --programs 5',
  )
  for (const number of [1, 2]) printTable('full', number, options)
  console.log(
    `\n3 threads × 3 events over 3 objects, which ${grouped(small.samples)} samples do cover: the same order of samplers,\n` +
      'smaller ratios between them, since there are fewer events to get wrong',
  )
  for (const number of [1, 2]) printTable('small', number, small)
}

function printTable(size, number, { samples, programs }) {
  const published = paper.tables[number]
  const { samplers } = published
  console.log(`\nTable ${number}${number === 2 ? ', half of the events read' : ''}`)
  const rows = [['', 'orders', 'preempt.', 'races', ...samplers]]
  const sums = samplers.map(() => 0)
  const missed = samplers.map(() => false)
  let counted = 0
  for (const configuration of Object.keys(sizes[size])) {
    for (let seed = 1; seed <= programs; seed++) {
      const row = measure(sizes[size][configuration], number === 2, seed, samplers, samples)
      counted++
      row.coverage.forEach(({ ratio }, i) => {
        sums[i] += Math.log(ratio === 0 ? 1 / samples : ratio)
        missed[i] ||= ratio === 0
      })
      rows.push([
        `${configuration} ${seed}`,
        ...[row.classes, row.preemptions, row.races].map(String),
        ...row.coverage.map(({ ratio, covered }) => (ratio === 0 ? `0(${covered})` : ratio.toExponential(2))),
      ])
    }
    if (size === 'full') rows.push(...published[configuration].map((row) => paperRow(configuration, row)))
  }
  const means = sums.map((sum) => Math.exp(sum / counted))
  rows.push(['geometric mean', '', '', '', ...means.map((mean) => mean.toExponential(2))])
  if (size === 'full')
    rows.push(['  paper', '', '', '', ...published.means.map((mean) => mean.toExponential(2))])
  table(rows)
  const best = samplers.at(-1)
  const over = (values, i) => (values.at(-1) / values[i]).toFixed(1)
  // Without full coverage a mean is made of the number of samples, and a ratio of two such means says nothing.
  const ours = (i) => (missed.at(-1) ? 'not known' : `${missed[i] ? 'at least ' : ''}${over(means, i)}`)
  const ratios = samplers.slice(0, -1).map((s, i) => `${s} ${ours(i)} (${over(published.means, i)})`)
  console.log(`${best} is better by (paper): ${ratios.join(', ')}`)
}

function paperRow(configuration, [classes, preemptions, races, ...coverage]) {
  return [
    `  paper's ${configuration}`,
    ...[classes, preemptions, races].map(String),
    ...coverage.map((c) => (typeof c === 'string' ? `0(${c})` : c.toExponential(2))),
  ]
}

function measure(uses, withReads, seed, samplers, samples) {
  const program = generate(uses, withReads, seed)
  const facts = { ...analyse(program), events: program.object.length }
  const machine = modelMachine(toModel(program))
  const { classes, races } = searchAll(machine)
  if (classes !== facts.classes)
    throw new Error(`${facts.classes} partial orders by counting, ${classes} by searching`)
  const coverage = samplers.map((sampler) =>
    sampler === 'RW'
      ? { ratio: facts.leastOfRandomWalk, covered: classes }
      : sample(machine, specs[sampler](facts), seed, samples, classes),
  )
  return { ...facts, races, coverage }
}

/** Every class, with source sets: how many there are, and the most races in one. */
function searchAll(machine) {
  const strategy = createStrategy('source', { machine })
  const runner = new Runner(machine)
  let classes = 0
  let races = 0
  while (runner.run(strategy)) {
    if (runner.status !== 'completed') continue
    classes++
    races = Math.max(races, countRaces(machine, runner.trace).races)
  }
  return { classes, races }
}

function sample(machine, spec, seed, samples, classes) {
  const strategy = createStrategy(spec, { machine, seed })
  const runner = new Runner(machine, { observers: [{ footprints: true }] })
  const fingerprint = new Fingerprint(machine)
  const hits = new Map()
  for (let i = 0; i < samples; i++) {
    runner.run(strategy)
    fingerprint.compute(runner.trace, runner.status)
    // 52 bits of the fingerprint as one number.
    const key = (fingerprint.high >>> 0) * 2 ** 20 + (fingerprint.low >>> 12)
    hits.set(key, (hits.get(key) ?? 0) + 1)
  }
  if (hits.size > classes) throw new Error(`${spec} hit ${hits.size} of ${classes} partial orders`)
  let least = Infinity
  for (const count of hits.values()) least = Math.min(least, count)
  return { ratio: hits.size < classes ? 0 : least / samples, covered: hits.size }
}
