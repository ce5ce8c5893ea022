import { describe, expect, test } from 'vitest'
import { assemble } from '../../../../tests/raw/modules.js'
import { decodeModule } from './decode-module.js'
import { analyseFrame } from './frames.js'
import { readLocals } from './function.js'

/** How many accesses of a function stay in its frame; the stack pointer is global 0. */
async function privateAccesses(code: string, parameters = ''): Promise<number> {
  const module = decodeModule(
    await assemble(`(module
      (memory 1)
      (global $sp (mut i32) (i32.const 4096))
      (global $other (mut i32) (i32.const 0))
      (func $callee (param i32))
      (func $get (result i32) (i32.const 4))
      (func $tested ${parameters} (local $fp i32) (local $p i32) ${code}))`),
  )
  const body = module.bodies[2]
  const type = module.types[module.functions[2]]
  const { code: start } = readLocals(body, type.parameters)
  const frame = analyseFrame({
    bytes: body.bytes,
    code: start,
    end: body.end,
    parameters: type.parameters.length,
    stackPointer: 0,
    types: module.types,
    typeOfFunction: (index) => module.types[module.functions[index]],
  })
  return frame?.accesses.size ?? 0
}

const enter = `(local.set $fp (i32.sub (global.get $sp) (i32.const 32))) (global.set $sp (local.get $fp))`
const leave = `(global.set $sp (i32.add (local.get $fp) (i32.const 32)))`
const use = `(i32.store offset=8 (local.get $fp) (i32.add (i32.load offset=12 (local.get $fp)) (i32.const 1)))`

describe('accesses of a frame', () => {
  test('are private while its address stays in the function', async () => {
    expect(await privateAccesses(enter + use + leave)).toBe(2)
    expect(await privateAccesses(`${enter}(loop $l ${use}(br_if $l (call $get)))${leave}`)).toBe(2)
    expect(
      await privateAccesses(`${enter}${use}(call $callee (i32.load offset=8 (local.get $fp)))${leave}`),
    ).toBe(3)
    expect(
      await privateAccesses(
        `${enter}(local.set $p (i32.add (local.get $fp) (i32.const 4)))(i32.store (local.get $p) (i32.const 1))${leave}`,
      ),
    ).toBe(1)
  })

  test.each([
    ['passed', '(call $callee (local.get $fp))'],
    ['passed with an offset', '(call $callee (i32.add (local.get $fp) (i32.const 8)))'],
    ['stored', '(i32.store (i32.const 64) (local.get $fp))'],
    ['stored in the frame', '(i32.store offset=4 (local.get $fp) (local.get $fp))'],
    ['kept in a global', '(global.set $other (local.get $fp))'],
    ['added to what is not known', '(i32.store (i32.add (local.get $fp) (call $get)) (i32.const 1))'],
    ['chosen', '(drop (select (local.get $fp) (i32.const 0) (call $get)))'],
    ['compared', '(drop (i32.eq (local.get $fp) (i32.const 0)))'],
    ['exchanged', '(drop (i32.atomic.rmw.xchg (i32.const 64) (local.get $fp)))'],
    [
      'kept in a variable that is assigned twice',
      '(local.set $p (call $get)) (local.set $p (local.get $fp)) (call $callee (local.get $p))',
    ],
    ['carried out of a block', '(block (local.set $p (local.get $fp))) (call $callee (local.get $p))'],
    [
      'carried round a loop',
      '(loop $l (call $callee (local.get $p)) (local.set $p (local.get $fp)) (br_if $l (call $get)))',
    ],
    ['left on the stack for a branch', '(call $callee (block $b (result i32) (br $b (local.get $fp))))'],
    ['moved by an unknown amount', '(global.set $sp (i32.sub (local.get $fp) (call $get)))'],
  ])('are all logged once it is %s', async (_, code) => {
    expect(await privateAccesses(enter + use + code + leave)).toBe(0)
  })

  test('above the frame, or below it, are none of it', async () => {
    expect(await privateAccesses(`${enter}(i32.store offset=32 (local.get $fp) (i32.const 1))${leave}`)).toBe(
      0,
    )
    const red =
      '(local.set $fp (i32.sub (global.get $sp) (i32.const 16))) (i32.store (local.get $fp) (i32.const 1))'
    expect(await privateAccesses(red)).toBe(1)
    expect(await privateAccesses(`${red}(call $callee (i32.const 1))(drop (i32.load (local.get $fp)))`)).toBe(
      0,
    )
    const far = red.replace('i32.const 16', 'i32.const 256')
    expect(await privateAccesses(far)).toBe(0)
  })
})
