import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // Two processes run all files, each with modules and the compiler loaded once: loading the compiler, and its first
    // use, take as long as some twenty programs later on. What a test changes outside itself it has to undo.
    isolate: false,
    unstubEnvs: true,
  },
})
