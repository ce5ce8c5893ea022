import { expect, test } from 'vitest'
import { adviceOnLibrary, spellOut } from './compiler-flags.js'

test.each([
  ['-std=c11', ['--std=c11']],
  ['-Wall', ['--cflag=-Wall']],
  ['-fno-strict-aliasing', ['--cflag=-fno-strict-aliasing']],
  ['-pthread', []],
  ['-lpthread', []],
  ['-lm', []],
  ['-g', []],
  ['-Iinclude', ['-Iinclude']],
  ['-lcurl', ['-lcurl']],
  ['--budget', ['--budget']],
  ['main.c', ['main.c']],
])('%s becomes %j', (argument, expected) => {
  expect(spellOut(argument)).toEqual(expected)
})

test('only libraries get the advice about libraries', () => {
  expect(adviceOnLibrary('-lcurl')).toMatch(/sources of curl/)
  expect(adviceOnLibrary('--list-points')).toBeUndefined()
})
