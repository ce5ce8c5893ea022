import { CommanderError } from 'commander'
import { expect, it } from 'vitest'
import { NondeterminismError } from '../execution/determinism.js'
import { UserError } from '../files/user-error.js'
import { LoadError } from '../frontends/front-end.js'
import { failureOf } from './exit.js'

it.each([
  new UserError('wrong'),
  new LoadError('wrong'),
  new NondeterminismError(3, 'wrong', 'right'),
  new CommanderError(1, 'code', 'wrong'),
  Object.assign(new Error('wrong'), { code: 'EACCES' }),
])('%s is for the user to repair', (error) => {
  const { code, message } = failureOf(error)
  expect(code).toBe(2)
  expect(message).toContain('wrong')
  expect(message).not.toMatch(/\n\s+at /)
})

it('control characters of what is quoted do not reach the terminal', () => {
  const { message } = failureOf(new UserError('it says "\u001b[31mred\u0007\u009b"\n\there'))
  expect(message).toBe('it says "\\u001b[31mred\\u0007\\u009b"\n\there')
})

it.each([new TypeError('oops'), new RangeError('oops'), new Error('oops'), 'oops', undefined])(
  '%s is our own fault, and says so',
  (error) => {
    const { code, message } = failureOf(error)
    expect(code).toBe(3)
    expect(message).toContain('fault in faultline')
    expect(message).toContain('please report')
  },
)
