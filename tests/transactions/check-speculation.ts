// npm run check:transactions [-- programs [first seed [beginning of what is to be compared: models or C]]]
import { build } from '../../src/frontends/wasm/index.js'
import {
  type Compared,
  compareInC,
  compareModel,
  compareWaiting,
  compareWaitingInC,
  nothingCompared,
  semantics,
} from './against-speculation.js'

const [count = 2_000, first = 10_001] = process.argv.slice(2, 4).map(Number)
const only = process.argv[4] ?? ''
const seeds = Array.from({ length: count }, (_, i) => first + i)
let isWrong = false

async function all(title: string, compare: (seed: number, to: Compared) => void | Promise<void>) {
  if (!title.startsWith(only)) return
  const found = nothingCompared()
  for (const [i, seed] of seeds.entries()) {
    try {
      await compare(seed, found)
    } catch (error) {
      found.wrong.push(`seed ${seed}: ${error}`)
    }
    if (process.stderr.isTTY && i % 20 === 0) process.stderr.write(`\r${title}: ${i} of ${count} programs`)
  }
  if (process.stderr.isTTY) process.stderr.write('\r')
  console.log(
    `${title}: ${found.compared} compared, ${found.wrong.length} differ, ${found.tooLarge} too large to compare`,
  )
  for (const line of found.wrong) console.log(`  ${line}`)
  isWrong ||= found.wrong.length > 0
}

console.log(`${count} random programs of each kind, seeds ${first} to ${first + count - 1}`)
for (const aborts of semantics) {
  await all(`models, ${aborts}`, (seed, to) => compareModel(seed, aborts, to, ['dfs', 'optimal', 'source']))
}
for (const aborts of ['conflict', 'retry,conflict']) {
  await all(`models with threads that wait, ${aborts}`, (seed, to) => compareWaiting(seed, aborts, to))
}
const artifact = await build({ sources: ['tests/c/transaction-scripts.c'] })
await all(`C, each of ${semantics.length} semantics`, (seed, to) => compareInC(seed, artifact, to))
await all('C with threads that wait, conflict', (seed, to) =>
  compareWaitingInC(seed, artifact, 'conflict', to),
)
process.exitCode = isWrong ? 1 : 0
