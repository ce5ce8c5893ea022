import { expect, test } from 'vitest'
import { shortStack } from './short-stack.js'

const call = (name: string, line: number) => ({ function: name, location: `deep.c:${line}` })

test('calls of a function by itself are one line', () => {
  const frames = [...Array.from({ length: 900 }, () => call('down', 3)), call('down', 7), call('main', 9)]
  expect(shortStack(frames)).toEqual([
    { frame: call('down', 3), times: 900 },
    { frame: call('down', 7), times: 1 },
    { frame: call('main', 9), times: 1 },
  ])
})

test('of functions that call each other the middle is left out, and counted', () => {
  const frames = [
    ...Array.from({ length: 400 }, (_, i) => call(i % 2 === 0 ? 'even' : 'odd', 3)),
    call('main', 9),
  ]
  const lines = shortStack(frames)
  expect(lines.length).toBeLessThan(20)
  expect(lines[0]).toEqual({ frame: call('even', 3), times: 1 })
  expect(lines.at(-1)).toEqual({ frame: call('main', 9), times: 1 })
  const counted = lines.map((line) => ('left' in line ? line.left : line.times))
  expect(counted.reduce((sum, calls) => sum + calls)).toBe(frames.length)
})

test('two calls at one line are no recursion', () => {
  const frames = [call('drop', 3), call('drop', 3), call('main', 9)]
  expect(shortStack(frames)).toEqual(frames.map((frame) => ({ frame, times: 1 })))
})

test('a stack of usual length is left as it is', () => {
  const frames = Array.from({ length: 15 }, (_, i) => call(`f${i}`, i))
  expect(shortStack(frames)).toEqual(frames.map((frame) => ({ frame, times: 1 })))
})
