#!/usr/bin/env node
import { existsSync } from 'node:fs'

const built = new URL('../dist/bundle/main.js', import.meta.url)
if (existsSync(built)) {
  const { main } = await import(built.href)
  process.exitCode = await main(process.argv.slice(2))
} else {
  console.error(
    'faultline: not built yet; run "npm ci" (or "npm run build") in the folder of the package first',
  )
  process.exitCode = 3
}
