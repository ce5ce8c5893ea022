#!/usr/bin/env node
const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { loadCommand } = require('./command.js')

// For whatever ends before it has an answer.
process.exitCode = 3
if (existsSync(join(__dirname, '../dist/bundle/command.cjs'))) {
  loadCommand()
    .main(process.argv.slice(2))
    .then((code) => {
      process.exitCode = code
    })
} else {
  console.error(
    'faultline: not built yet; run "npm ci" (or "npm run build") in the folder of the package first',
  )
}
