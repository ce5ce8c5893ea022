import { runBundled } from '../support/run-bundled.mjs'

await runBundled(new URL('check-speculation.ts', import.meta.url))
