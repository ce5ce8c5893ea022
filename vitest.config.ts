import { defineConfig } from 'vitest/config'
import { builtEngine, isBuilt } from './tests/support/built-engine.js'

/** `--mode full` is `npm run test:full`; see tests/support/effort.ts. */
export default defineConfig(({ mode }) => {
  // Who watches changes sources all the time.
  const runsBuilt = process.argv.includes('run') && isBuilt()
  if (!runsBuilt) console.log('Testing src, which is slower than testing dist: npm run build')
  return {
    plugins: runsBuilt ? [builtEngine()] : [],
    test: {
      include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
      reporters: ['default', './tests/support/skips-reporter.ts'],
      env: mode === 'full' ? { FAULTLINE_EFFORT: process.env.FAULTLINE_EFFORT ?? '3' } : {},
      // Far more than anything takes: a busy machine is no failure.
      testTimeout: mode === 'full' ? 1_200_000 : 600_000,
      hookTimeout: 600_000,
      pool: 'forks',
      // Both cores are busy: threads that collect garbage beside the tests cost a tenth of the time of all.
      execArgv: ['--single-threaded-gc', '--min-semi-space-size=16', '--max-semi-space-size=32'],
      maxWorkers: 2,
      // Two processes run all files, each with modules and the compiler loaded once: loading the compiler, and its first
      // use, take as long as some twenty programs later on. What a test changes outside itself it has to undo.
      isolate: false,
      unstubEnvs: true,
    },
  }
})
