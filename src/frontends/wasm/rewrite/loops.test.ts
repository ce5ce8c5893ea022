import binaryen from 'binaryen'
import { expect, it } from 'vitest'
import { decodeModule } from './decode-module.js'
import { readLocals } from './function.js'
import { analyseLoops } from './loops.js'

/** Locals carried round each loop of the one function of a module. */
function carried(body: string): number[][] {
  const module = binaryen.parseText(
    `(module (import "a" "b" (func $call)) (memory 1) (func $f (param i32 i32) (local i32 i64) ${body}))`,
  )
  const bytes = module.emitBinary()
  module.dispose()
  const decoded = decodeModule(bytes)
  const { types, code } = readLocals(decoded.bodies[0], decoded.types[decoded.functions[0]].parameters)
  return analyseLoops(bytes, code, decoded.bodies[0].end, types.length).map((loop) => [...loop.carried])
}

it('a counter is carried, a constant is not', () => {
  expect(
    carried(`(loop $l
      (local.set 0 (i32.add (local.get 0) (local.get 1)))
      (br_if $l (local.get 0)))`),
  ).toEqual([[0]])
})

it('what every iteration assigns before it reads is not carried', () => {
  expect(
    carried(`(loop $l
      (local.set 2 (i32.load (i32.const 8)))
      (br_if $l (local.get 2)))`),
  ).toEqual([[]])
})

it('an assignment in a branch is not sure', () => {
  expect(
    carried(`(loop $l
      (if (local.get 1) (then (local.set 2 (i32.const 1))))
      (br_if $l (local.get 2)))`),
  ).toEqual([[2]])
})

it('the two arms of an if do not help each other', () => {
  expect(
    carried(`(loop $l
      (if (local.get 1)
        (then (local.set 2 (i32.const 1)))
        (else (call $call) (local.set 0 (local.get 2))))
      (br_if $l (local.get 1)))`),
  ).toEqual([[2]])
})

it('an inner loop carries what only the outer one resets', () => {
  expect(
    carried(`(loop $outer
      (local.set 2 (i32.const 10))
      (loop $inner
        (local.set 2 (i32.sub (local.get 2) (i32.const 1)))
        (br_if $inner (local.get 2)))
      (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
      (br_if $outer (local.get 0)))`),
  ).toEqual([[0], [2]])
})

it('what is only assigned is not carried', () => {
  expect(
    carried(`(loop $l
      (local.set 3 (i64.const 1))
      (br_if $l (local.get 1)))
      (drop (local.get 3))`),
  ).toEqual([[]])
})
