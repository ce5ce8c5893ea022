// The samplers on the micro-benchmark of the POS paper: the least hit ratio over all partial orders of a program.
// npm run bench -- pos [--quick] [--samples N] [--programs N] [--workers N]
import { availableParallelism } from 'node:os'
import { grouped, table } from './measure.js'
import * as paper from './micro/paper.js'
import { sizes } from './micro/programs.js'
import { factsOf, sampleAll } from './micro/sampling.js'

/** A tenth of the paper's samples; `--quick` takes a 250th. */
const defaults = { samples: paper.samples / 10, programs: 5, workers: availableParallelism() }
const quick = { samples: paper.samples / 250 }
const small = { samples: 100_000, programs: 5 }

/** Samples per second and worker, to say beforehand how long it will take; measured on one core. */
const usualPace = 120_000

export default async function pos(words) {
  const options = optionsOf(words)
  if (!options) {
    console.error('usage: npm run bench -- pos [--quick] [--samples N] [--programs N] [--workers N]')
    process.exitCode = 2
    return
  }
  const { samples, programs, workers } = options
  const studies = [
    ...[1, 2].map((number) => studyOf('full', number, options)),
    ...[1, 2].map((number) => studyOf('small', number, small)),
  ]
  const tasks = studies.flatMap((study) => study.tasks)
  const all = tasks.reduce((sum, task) => sum + task.samples, 0)
  console.log(
    `${grouped(all)} samples on ${workers} threads: about ${minutes(all / workers / usualPace)}; --quick takes ` +
      `${grouped(quick.samples)} per program and sampler instead of ${grouped(samples)}.\n`,
  )
  const coverage = await sampleAll(tasks, progress(all), workers)
  let from = 0
  for (const study of studies) {
    study.coverage = coverage.slice(from, from + study.tasks.length)
    from += study.tasks.length
  }
  console.log(
    'The least hit ratio over all partial orders of a program. Random walk (RW) is exact. 0(n): only n partial orders\n' +
      'were hit, not all; counts as 1/samples in the mean.\n',
  )
  console.log(
    `4 threads × 4 events over 4 objects, as in the paper: ${grouped(samples)} samples per program and sampler, ` +
      `1/${Math.round(paper.samples / samples)} of\nthe paper's; ${programs} programs per configuration, drawn as ` +
      "in the paper, not the paper's own. What was not covered\n" +
      `counts as ${(1 / samples).toExponential(1)} here and as ${(1 / paper.samples).toExponential(1)} there.`,
  )
  for (const study of studies.slice(0, 2)) printTable(study)
  console.log(
    `\n3 threads × 3 events over 3 objects, which ${grouped(small.samples)} samples do cover: the same order of samplers,\n` +
      'smaller ratios between them, since there are fewer events to get wrong',
  )
  for (const study of studies.slice(2)) printTable(study)
}

function optionsOf(words) {
  const options = { ...defaults }
  for (let i = 0; i < words.length; i++) {
    const name = words[i].replace(/^--/, '')
    if (name === 'quick') {
      Object.assign(options, quick)
      continue
    }
    const number = Number(words[++i])
    if (!(name in options) || !(number >= 1)) return undefined
    options[name] = Math.floor(number)
  }
  return options
}

/**
 * The programs of one table with what is known of them, and a task for each of them and each sampler.
 * @returns {any} `coverage` is added when all tasks are done
 */
function studyOf(size, number, { samples, programs }) {
  const { samplers } = paper.tables[number]
  const rows = Object.entries(sizes[size]).flatMap(([configuration, uses]) =>
    Array.from({ length: programs }, (_, i) => {
      const program = { uses, withReads: number === 2, seed: i + 1 }
      return { configuration, program, facts: factsOf(program) }
    }),
  )
  const sampled = samplers.filter((sampler) => sampler !== 'RW')
  const tasks = rows.flatMap(({ program, facts }) =>
    sampled.map((sampler) => ({ program, facts, sampler, samples })),
  )
  return { size, number, samples, rows, sampled, tasks }
}

/** Tells, on a terminal or every tenth elsewhere, how far it is. */
function progress(all) {
  const start = performance.now()
  let done = 0
  let told = 0
  return (samples) => {
    done += samples
    const left = ((performance.now() - start) / 1000 / done) * (all - done)
    const text = `${Math.floor((100 * done) / all)} % of the samples, ${minutes(left)} left`
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${done < all ? text : ''}`)
    else if (done / all >= told + 0.1 && done < all) {
      told = Math.floor((10 * done) / all) / 10
      process.stderr.write(`${text}\n`)
    }
  }
}

function minutes(seconds) {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`
}

function printTable({ size, number, samples, rows, sampled, coverage }) {
  const published = paper.tables[number]
  const { samplers } = published
  console.log(`\nTable ${number}${number === 2 ? ', half of the events read' : ''}`)
  const lines = [['', 'orders', 'preempt.', 'races', ...samplers]]
  const sums = samplers.map(() => 0)
  const missed = samplers.map(() => 0)
  rows.forEach(({ configuration, program, facts }, r) => {
    const hits = [
      { ratio: facts.leastOfRandomWalk, covered: facts.classes },
      ...sampled.map((_, s) => coverage[r * sampled.length + s]),
    ]
    hits.forEach(({ ratio }, i) => {
      sums[i] += Math.log(ratio === 0 ? 1 / samples : ratio)
      if (ratio === 0) missed[i]++
    })
    lines.push([
      `${configuration} ${program.seed}`,
      ...[facts.classes, facts.preemptions, facts.races].map(String),
      ...hits.map(({ ratio, covered }) => (ratio === 0 ? `0(${covered})` : ratio.toExponential(2))),
    ])
    const isLast = rows[r + 1]?.configuration !== configuration
    if (size === 'full' && isLast)
      lines.push(...published[configuration].map((row) => paperRow(configuration, row)))
  })
  const means = sums.map((sum) => Math.exp(sum / rows.length))
  lines.push(['geometric mean', '', '', '', ...means.map((mean) => mean.toExponential(2))])
  if (size === 'full')
    lines.push(['  paper', '', '', '', ...published.means.map((mean) => mean.toExponential(2))])
  table(lines)
  const uncovered = samplers.flatMap((s, i) => (missed[i] > 0 ? [`${s} ${missed[i]} of ${rows.length}`] : []))
  console.log(
    uncovered.length === 0
      ? 'All programs were covered by all samplers.'
      : `Programs not covered: ${uncovered.join(', ')}.`,
  )
  const best = samplers.at(-1)
  const over = (values, i) => (values.at(-1) / values[i]).toFixed(1)
  // Without full coverage a mean is made of the number of samples, and a ratio of two such means says nothing.
  const ours = (i) =>
    missed.at(-1) > 0 ? 'not known' : `${missed[i] > 0 ? 'at least ' : ''}${over(means, i)}`
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
