import { beforeEach, describe, expect, it } from 'vitest'
import { findNative } from '../../src/frontends/wasm/toolchain/native.js'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'

const native = await findNative()

/** What a program does is the same whoever compiled it: sites, executions, bugs. */
describe('a clang on the path', () => {
  beforeEach(({ skip }) =>
    skip(native === undefined, 'there is no clang on the path that compiles for WebAssembly'),
  )

  const check = async (file: string, environment: Record<string, string>) => {
    const args = ['check', file, '--strategy', 'optimal', '--races', '--json', '--out', folderWith({})]
    const { out, err } = await faultline(process.cwd(), args, { environment })
    expect(out, err).not.toBe('')
    const { verdict, executions, bugs, races } = JSON.parse(out)
    const placed = (bugs as { kind: string; location: string }[]).map(({ kind, location }) => ({
      kind,
      location,
    }))
    return { verdict, executions, bugs: placed, races: races.length }
  }
  const daily = ['tests/c/inc.c', 'examples/02-deadlock/racy.c']
  const others = [
    'corpus/boundedbuffer/program.c',
    'examples/01-counter/fixed.c',
    'corpus/spsc/program.cpp',
    // Crashes the linker of version 19: the bundled one takes over.
    'tests/c/more-race-classes.c',
  ]
  it.each([...daily, ...(isFull ? others : [])])('agrees on %s', async (file) => {
    const { command } = native!
    expect(await check(file, { FAULTLINE_CC: command })).toEqual(await check(file, {}))
  })
})

it('doctor says what there is', async () => {
  const { out, code } = await faultline(process.cwd(), ['doctor'], {
    environment: { FAULTLINE_CACHE: '/no/such/folder' },
  })
  expect(code).toBe(0)
  expect(out).toMatch(/^node +v\d+/m)
  expect(out).toMatch(/^compiler +clang 22.*, which comes along$/m)
  expect(out).toMatch(native ? /^clang on the path +clang.*FAULTLINE_CC=clang/m : /^clang on the path +none/m)
  expect(out).toMatch(/^cache +\/no\/such\/folder: nothing there yet/m)
})
