#!/usr/bin/env node
// Stands in for a clang installed by the user: takes its command line and real files, and lets the bundled compiler
// do the work.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { commands, Exit, runLLVM } from '@yowasp/clang'

const args = process.argv.slice(2)
if (args.includes('--version')) {
  console.log('stand-in clang 1.0')
  process.exit(0)
}
const option = (name) => args[args.indexOf(name) + 1]
// To load the compiler takes seconds.
if (process.env.STAND_IN_REFUSES) {
  process.stderr.write(`${option('-c')}:1:25: error: use of undeclared identifier 'gone'\n`)
  process.exit(1)
}
const sysroot = args.find((arg) => arg.startsWith('--sysroot=')).slice('--sysroot='.length)
readFileSync(path.join(sysroot, 'include/wasm32-wasip1/stdio.h'))

const tree = {}
const put = (file, content) => {
  const parts = file.split('/').filter(Boolean)
  const name = parts.pop()
  let node = tree
  for (const part of parts) node = node[part] ??= {}
  node[name] = content
}
const overlay = option('-isystem')
for (const entry of readdirSync(overlay, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue
  const file = path.join(entry.parentPath, entry.name)
  put(`overlay/${path.relative(overlay, file)}`, readFileSync(file))
}
for (const name of readdirSync('.', { recursive: true })) {
  if (/\.[ch]$/.test(name)) put(name, readFileSync(name))
}
const output = option('-o')
const given = args
  .filter((arg) => !arg.startsWith('--sysroot='))
  .map((arg) => (arg === output ? 'out.o' : arg === overlay ? '/overlay' : arg))
await runLLVM(undefined, undefined, { fetchProgress() {} })
try {
  const files = await commands.clang([...given, `-fdebug-compilation-dir=${process.cwd()}`], tree, {
    stderr: (bytes) => bytes && process.stderr.write(Buffer.from(bytes)),
    decodeASCII: false,
  })
  writeFileSync(output, files['out.o'])
} catch (error) {
  if (!(error instanceof Exit)) throw error
  process.exitCode = error.code
}
