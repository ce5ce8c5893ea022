import { runBundled } from '../support/run-bundled.mjs'

await runBundled(new URL('run.ts', import.meta.url))
