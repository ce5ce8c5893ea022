import { expect, it } from 'vitest'
import { count, fields, flag, list, nullable, oneOf, optional, text } from './schema.js'

const run = fields({
  name: text,
  status: oneOf('done', 'begun'),
  jobs: list(fields({ id: count, reason: nullable(text), isLast: optional(flag) }), 1),
})

it.each([
  [{ name: 'a', status: 'done', jobs: [{ id: 0, reason: null }] }, null],
  [{ name: 'a', status: 'done', jobs: [{ id: 0, reason: 'x', isLast: true }] }, null],
  [{ status: 'done', jobs: [{ id: 0, reason: null }] }, '.name'],
  [{ name: 'a', status: 'other', jobs: [{ id: 0, reason: null }] }, '.status'],
  [{ name: 'a', status: 'done', jobs: [] }, '.jobs'],
  [
    {
      name: 'a',
      status: 'done',
      jobs: [
        { id: 0, reason: null },
        { id: -1, reason: null },
      ],
    },
    '.jobs[1].id',
  ],
  [{ name: 'a', status: 'done', jobs: [{ id: 0 }] }, '.jobs[0].reason'],
  [{ name: 'a', status: 'done', jobs: [{ id: 0, reason: '', isLast: 1 }] }, '.jobs[0].isLast'],
  [[], ''],
])('%j: %s', (value, wrong) => {
  expect(run(value)).toBe(wrong)
})
