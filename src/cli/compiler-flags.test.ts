import { expect, test } from 'vitest'
import { adviceOnLibrary, spellOut, spellOutAll } from './compiler-flags.js'

test.each([
  ['-std=c11', ['--std=c11']],
  ['-Wall', ['--cflag=-Wall']],
  ['-fno-strict-aliasing', ['--cflag=-fno-strict-aliasing']],
  ['-pthread', []],
  ['-lpthread', []],
  ['-lm', []],
  ['-g', []],
  ['-w', ['--cflag=-w']],
  ['-ansi', ['--cflag=-ansi']],
  ['-UNDEBUG', ['--cflag=-UNDEBUG']],
  ['-v', []],
  ['-pipe', []],
  ['-static', []],
  ['-L/usr/lib', []],
  ['-Iinclude', ['-Iinclude']],
  ['-lcurl', ['-lcurl']],
  ['--budget', ['--budget']],
  ['main.c', ['main.c']],
])('%s becomes %j', (argument, expected) => {
  expect(spellOut(argument)).toEqual(expected)
})

test('what is made of the sources, and where libraries are, is left out', () => {
  expect(spellOutAll(['-o', 'prog', 'a.c', '-L', 'lib', '-w'])).toEqual(['a.c', '--cflag=-w'])
})

test('headers may be named in a word of their own', () => {
  expect(spellOutAll(['-isystem', 'third', 'a.c', '-include', 'all.h', '-iquoteq'])).toEqual([
    '--cflag=-isystem',
    '--cflag=third',
    'a.c',
    '--cflag=-include',
    '--cflag=all.h',
    '--cflag=-iquoteq',
  ])
})

test('only libraries get the advice about libraries', () => {
  expect(adviceOnLibrary('-lcurl')).toMatch(/sources of curl/)
  expect(adviceOnLibrary('--list-points')).toBeUndefined()
})
