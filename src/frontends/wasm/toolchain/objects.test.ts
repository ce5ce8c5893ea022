import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Cache, CacheEntry } from './cache.js'
import type { Compiler } from './compile.js'
import { CompileError } from './errors.js'
import { compileUnits, type Unit } from './objects.js'

let compiled: string[]
let entries: Map<string, CacheEntry>
const cache: Cache = {
  read: async (key) => entries.get(key),
  write: async (key, entry) => void entries.set(key, entry),
}
beforeEach(() => {
  compiled = []
  entries = new Map()
})

const file = (name: string, content: string, folder = '/home') => ({
  path: `${folder}/${name}`,
  display: name,
  content: new TextEncoder().encode(content),
})

/** A unit with a header. */
const unit = (name: string, { content = '', header = '', flags = ['-O0'], folder = '/home' } = {}): Unit => {
  const source = file(name, content, folder)
  return { flags, set: { units: [source], files: [source, file('shared.h', header, folder)] } }
}

const compiler: Compiler = {
  async compile({ display, content }) {
    compiled.push(display)
    const text = new TextDecoder().decode(content)
    return {
      object: text.includes('wrong') ? undefined : Uint8Array.of(display.length),
      diagnostics: text.includes('wrong')
        ? `${display}:1:1: error: redefinition of 'x'\n`
        : `${display}: warning\n`,
    }
  },
}

const run = (units: readonly Unit[], atOnce = 1, used = compiler) =>
  compileUnits(units, {
    compilerOf: () => used,
    cache,
    runtime: { sources: [], exceptions: [], jumps: [], waits: [], headers: [] },
    versions: { clang: '1', binaryen: '1', own: '1' },
    compilerVersion: '',
    atOnce,
  })

test('only what has changed is compiled again, with the warnings it had', async () => {
  const first = await run([unit('a.cc'), unit('long.cc')], 2)
  expect(first.objects).toEqual([Uint8Array.of(4), Uint8Array.of(7)])
  expect(first.warnings).toBe('a.cc: warning\nlong.cc: warning\n')
  compiled = []
  expect(await run([unit('a.cc'), unit('long.cc')])).toEqual(first)
  expect(compiled).toEqual([])
  await run([unit('a.cc'), unit('long.cc', { content: 'int x;' })])
  expect(compiled).toEqual(['long.cc'])
})

test('headers, flags and where files lie decide, too', async () => {
  await run([unit('a.cc')])
  for (const change of [{ header: 'int y;' }, { flags: ['-O1'] }, { folder: '/elsewhere' }]) {
    compiled = []
    await run([unit('a.cc', change)])
    expect(compiled, JSON.stringify(change)).toEqual(['a.cc'])
  }
})

test('what does not compile is not kept, and all errors show at once', async () => {
  const units = [unit('a.cc', { content: 'wrong' }), unit('b.cc'), unit('c.cc', { content: 'wrong' })]
  for (const expected of [
    ['a.cc', 'b.cc', 'c.cc'],
    ['a.cc', 'c.cc'],
  ]) {
    compiled = []
    const error = await run(units).catch((e) => e)
    expect(error).toBeInstanceOf(CompileError)
    expect(error.diagnostics).toBe(
      "a.cc:1:1: error: redefinition of 'x'\nb.cc: warning\nc.cc:1:1: error: redefinition of 'x'\n",
    )
    expect(compiled).toEqual(expected)
  }
})

test('files that change while a compiler of the user reads them are told of', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-objects-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['a.cc', 'shared.h']) writeFileSync(join(folder, name), '')
  const native: Compiler = {
    readsFiles: true,
    async compile(source, flags) {
      if (flags.includes('-DEDIT')) writeFileSync(join(folder, 'shared.h'), 'int x;')
      return compiler.compile(source, flags)
    },
  }
  await run([unit('a.cc', { folder })], 1, native)
  await expect(run([unit('a.cc', { folder, flags: ['-DEDIT'] })], 1, native)).rejects.toThrow(
    'shared.h changed while it was compiled; try again',
  )
  expect(entries.size).toBe(1)
})
