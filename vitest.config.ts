import { defineConfig } from 'vitest/config'

/** `--mode full` is `npm run test:full`; see tests/support/effort.ts. */
export default defineConfig(({ mode }) => ({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    reporters: ['default', './tests/support/skips-reporter.ts'],
    env: mode === 'full' ? { FAULTLINE_EFFORT: process.env.FAULTLINE_EFFORT ?? '4' } : {},
    testTimeout: mode === 'full' ? 600_000 : 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // Two processes run all files, each with modules and the compiler loaded once: loading the compiler, and its first
    // use, take as long as some twenty programs later on. What a test changes outside itself it has to undo.
    isolate: false,
    unstubEnvs: true,
  },
}))
