// npm run bench -- NAME: runs benchmarks/NAME.js on the built code.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [name, ...rest] = process.argv.slice(2)
const folder = fileURLToPath(new URL('.', import.meta.url))
const notBenchmarks = [
  'run',
  'measure',
  'buggy-programs',
  'known-programs',
  'race-classes',
  'race-inputs',
  'race-techniques',
  'deepening-tables',
]
const known = readdirSync(folder)
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.slice(0, -'.js'.length))
  .filter((file) => !notBenchmarks.includes(file))

if (!known.includes(name)) {
  console.error(
    `${name ? `there is no benchmark "${name}";` : 'which benchmark?'} known are ${known.join(', ')}`,
  )
  console.error('for example: npm run bench -- engine')
  process.exitCode = 2
} else {
  const { default: run } = await import(`./${name}.js`)
  await run(rest)
}
