// npm run check:solver [-- queries [first seed]]
import { compareWithZ3, operatorsMissing } from './against-z3.js'

const [count = 20_000, first = 1] = process.argv.slice(2).map(Number)
const { answers, wrong, operators } = await compareWithZ3(first, count, (done) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${count} queries`)
})
if (process.stderr.isTTY) process.stderr.write('\r')
const of = (pair: string) => answers.get(pair) ?? 0
const agreed = of('sat sat') + of('unsat unsat')
const missing = operatorsMissing(operators)
console.log(`${count} random queries, seeds ${first} to ${first + count - 1}`)
console.log(`  satisfiable: ${of('sat sat')} models hold, by evaluating and by z3`)
console.log(`  unsatisfiable: ${of('unsat unsat')}, by z3 as well`)
console.log(
  `  given up: ${count - agreed} (${
    [...answers]
      .filter(([pair]) => /unknown/.test(pair))
      .map(([pair, n]) => `${pair}: ${n}`)
      .join(', ') || 'none'
  })`,
)
console.log(
  `  operators at widths: ${operators.size}${missing.length > 0 ? `; never: ${missing.join(', ')}` : ', every one at every width'}`,
)
console.log(`  wrong: ${wrong.length}`)
for (const line of wrong) console.log(`    seed ${line}`)
process.exitCode = wrong.length > 0 ? 1 : 0
