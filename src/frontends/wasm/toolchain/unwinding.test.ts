import { describe, expect, test } from 'vitest'
import { EXCEPTIONS, JUMPS } from './flags.js'
import type { Unit } from './objects.js'
import { withUnwinding } from './unwinding.js'

const unit = (name: string, content: string, flags: readonly string[] = []): Unit => {
  const source = { path: `/home/${name}`, display: name, content: new TextEncoder().encode(content) }
  return { flags, set: { units: [source], files: [source] } }
}
const throwing = unit('throwing.cpp', 'void f() { throw 1; }')
const plain = unit('plain.cpp', 'void f(); void g() { f(); }', ['-O1'])
const c = unit('c.c', 'int try, f(void);')
const jumping = unit('jumping.c', '#include <setjmp.h>\n')

const flagsOf = (units: readonly Unit[], areNeeded = false) =>
  withUnwinding(units, areNeeded).map(({ flags }) => flags)

describe('exceptions', () => {
  test('are for all C++ of a program, if a part of it mentions them', () => {
    expect(flagsOf([plain, throwing, c])).toEqual([[...EXCEPTIONS, '-O1'], EXCEPTIONS, []])
    expect(flagsOf([plain, c])).toEqual([['-fno-exceptions', '-O1'], []])
  })

  test('are there if they are needed, whatever the text says', () => {
    expect(flagsOf([plain, c], true)).toEqual([[...EXCEPTIONS, '-O1'], []])
  })

  test('can be switched off for a unit, and on again', () => {
    const off = unit('off.cpp', 'throw', ['-fno-exceptions'])
    const on = unit('on.cpp', 'throw', ['-fno-exceptions', '-fexceptions'])
    expect(flagsOf([off, plain])).toEqual([['-fno-exceptions'], ['-fno-exceptions', '-O1']])
    expect(flagsOf([off, on])).toEqual([['-fno-exceptions'], EXCEPTIONS])
  })
})

test('long jumps concern the unit that includes their header', () => {
  expect(flagsOf([jumping, c, plain])).toEqual([[...EXCEPTIONS, ...JUMPS], [], ['-fno-exceptions', '-O1']])
  const cxx = unit('jumping.cpp', '#include <csetjmp>\n')
  expect(flagsOf([cxx, plain])).toEqual([
    [...EXCEPTIONS, ...JUMPS],
    [...EXCEPTIONS, '-O1'],
  ])
})
