// What one sampler hits of one program of the micro-benchmark. Also the file that the worker threads run.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parentPort, Worker } from 'node:worker_threads'
import { countRaces, createStrategy, Fingerprint, modelMachine, Runner } from '../../dist/index.js'
import { analyse, generate, toModel } from './programs.js'

/** Our names of the paper's samplers; PCT gets the depth that the program needs, and its length. */
const specs = {
  PCT: ({ preemptions, events }) => `pct:${preemptions + 1},${events}`,
  RAPOS: () => 'rapos',
  BasicPOS: () => 'basic-pos',
  POS: () => 'pos:strict',
  'POS*': () => 'pos',
}

/** Partial orders, races and preemptions of a program, and the least hit ratio of a random walk, which is exact. */
export function factsOf({ uses, withReads, seed }) {
  const program = generate(uses, withReads, seed)
  const facts = { ...analyse(program), events: program.object.length }
  const { classes, races } = searchAll(modelMachine(toModel(program)))
  if (classes !== facts.classes)
    throw new Error(`${facts.classes} partial orders by counting, ${classes} by searching`)
  return { ...facts, races }
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

const samplesPerReport = 100_000

/** Hits of a sampler on a program: how many partial orders, and the least ratio, 0 if not all were. */
function sample({ program: { uses, withReads, seed }, facts, sampler, samples }, onSamples) {
  const machine = modelMachine(toModel(generate(uses, withReads, seed)))
  const strategy = createStrategy(specs[sampler](facts), { machine, seed })
  const runner = new Runner(machine, { observers: [{ footprints: true }] })
  const fingerprint = new Fingerprint(machine)
  const hits = new Map()
  for (let i = 0; i < samples; i++) {
    if (i % samplesPerReport === 0 && i > 0) onSamples(samplesPerReport)
    runner.run(strategy)
    fingerprint.compute(runner.trace, runner.status)
    // 52 bits of the fingerprint as one number.
    const key = (fingerprint.high >>> 0) * 2 ** 20 + (fingerprint.low >>> 12)
    hits.set(key, (hits.get(key) ?? 0) + 1)
  }
  onSamples(samples % samplesPerReport || Math.min(samples, samplesPerReport))
  if (hits.size > facts.classes)
    throw new Error(`${sampler} hit ${hits.size} of ${facts.classes} partial orders`)
  let least = Infinity
  for (const count of hits.values()) least = Math.min(least, count)
  return { ratio: hits.size < facts.classes ? 0 : least / samples, covered: hits.size }
}

/** Does all tasks on worker threads, in order; results in the order of the tasks. `onSamples` is told of progress. */
export async function sampleAll(tasks, onSamples, workers = availableParallelism()) {
  const results = []
  let next = 0
  const work = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(fileURLToPath(import.meta.url))
      let current
      const go = () => {
        if (next === tasks.length) return worker.terminate().then(resolve)
        current = next++
        worker.postMessage(tasks[current])
      }
      worker.on('error', reject)
      worker.on('message', (message) => {
        if (message.samples) return onSamples(message.samples)
        results[current] = message.result
        go()
      })
      go()
    })
  await Promise.all(Array.from({ length: Math.min(workers, tasks.length) }, work))
  return results
}

parentPort?.on('message', (task) => {
  const result = sample(task, (samples) => parentPort.postMessage({ samples }))
  parentPort.postMessage({ result })
})
