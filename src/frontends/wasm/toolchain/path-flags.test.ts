import { expect, it } from 'vitest'
import { forcedIncludes, headerFolders, headersInMacros, mapPaths } from './path-flags.js'

const flags = [
  '-O1',
  '-Iinclude',
  '-I',
  'more',
  '-isystem',
  'sys',
  '-DI=1',
  '-include',
  'first.h',
  '-iquoteq',
  '-std=c11',
]

it('finds folders and files, joined or apart', () => {
  expect(headerFolders(flags)).toEqual(['include', 'more', 'sys', 'q'])
  expect(forcedIncludes(flags)).toEqual(['first.h'])
})

it('finds headers that macros name', () => {
  const named = ['-DA="a.h"', '-D', 'B=<b/c.h>', '-DC=d.h', '-DE="e.h" f', '-I="i.h"']
  expect(headersInMacros(named)).toEqual(['a.h', 'b/c.h'])
})

it('maps every path and nothing else', () => {
  expect(mapPaths(flags, (name) => `/x/${name}`)).toEqual([
    ...['-O1', '-I', '/x/include', '-I', '/x/more', '-isystem', '/x/sys', '-DI=1'],
    ...['-include', '/x/first.h', '-iquote', '/x/q', '-std=c11'],
  ])
})

it('leaves what is only a name to search for', () => {
  const forced = ['-include', 'first.h', '-include', 'stdint.h']
  expect(
    mapPaths(
      forced,
      (name) => `/x/${name}`,
      (name) => name === 'first.h',
    ),
  ).toEqual(['-include', '/x/first.h', '-include', 'stdint.h'])
})

it('leaves a flag without its path to the compiler', () => {
  expect(mapPaths(['-I'], (name) => name)).toEqual([])
})
