import { runBundled } from '../support/run-bundled.mjs'

await runBundled(new URL('check-solver.ts', import.meta.url))
