// Reads SMT-LIB from standard input and prints what z3 answers. A process of its own: z3 brings threads and much memory.
import { readFileSync } from 'node:fs'
import { init } from 'z3-solver'

const { Z3 } = await init()
const context = Z3.mk_context(Z3.mk_config())
const answers = await Z3.eval_smtlib2_string(context, readFileSync(0, 'utf8'))
// Its threads may go on for ever.
process.stdout.write(answers, () => process.exit())
