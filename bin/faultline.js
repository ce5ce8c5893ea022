#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { loadCommand } from './command.js'

if (existsSync(new URL('../dist/bundle/command.cjs', import.meta.url))) {
  process.exitCode = await loadCommand().main(process.argv.slice(2))
} else {
  console.error(
    'faultline: not built yet; run "npm ci" (or "npm run build") in the folder of the package first',
  )
  process.exitCode = 3
}
