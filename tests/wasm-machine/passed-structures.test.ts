import { describe, expect, it } from 'vitest'
import { build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { withCopies } from '../../src/frontends/wasm/toolchain/passed-structures.js'
import { isFull } from '../support/effort.js'
import { load, loadVariant, outcomes } from './support.js'

/** How executions of that case end. */
async function ends(number: number, optimize: string): Promise<string[]> {
  const machine = await loadVariant('passed', number, { optimize })
  return [...outcomes(machine, { strategy: 'optimal' }).ends.keys()].map((end) => end.split(' ')[0])
}

describe('who passes a structure by value reads it', () => {
  it.each(isFull ? [1, 2, 3, 4] : [1, 3])('case %i', async (number) => {
    for (const optimize of isFull ? ['0', '1', '2'] : ['0'])
      expect(await ends(number, optimize)).toContain('assertion:')
  })

  it('and what is passed arrives', async () => {
    for (const optimize of isFull ? ['0', '1', '2'] : ['0']) expect(await ends(5, optimize)).toEqual(['ok'])
  })

  it.each(['0', '2'])('also if no type says that it is one: -O%s', async (optimize) => {
    for (const define of isFull || optimize === '0' ? [[], ['COMPARE']] : [['COMPARE']]) {
      const machine = await load('passed-division', { optimize, define })
      expect([...outcomes(machine, { strategy: 'optimal' }).ends.keys()].sort()).toEqual([
        expect.stringMatching('assertion'),
        'ok ',
      ])
    }
  })

  it.each(isFull ? ['0', '1', '2'] : ['1'])('in C++, too: -O%s', async (optimize) => {
    const artifact = await build({ sources: ['tests/cpp/passed.cpp'], optimize })
    for (const args of [[], ['x']]) {
      const { ends } = outcomes(await wasmMachine(artifact, { args }), { strategy: 'optimal' })
      expect([...ends.keys()].map((end) => end.split(' ')[0]).sort()).toEqual(['assertion:', 'ok'])
    }
  })

  it('also where the first block has no label, and the pointer is computed', () => {
    const text = [
      'define void @f(ptr %0) {',
      '  call void (i32, ...) @g(i32 1, ptr noundef byval({ i32, [2 x i8] }) captures(none) align 4 getelementptr (i8, ptr @s, i32 8), i32 2), !dbg !7',
      '  ret void',
      '}',
    ]
    expect(withCopies(text.join('\n'))?.split('\n').slice(0, 4)).toEqual([
      'define void @f(ptr %0) {',
      '  %fl.passed.0 = alloca { i32, [2 x i8] }, align 4',
      '  call void @llvm.memcpy.p0.p0.i32(ptr align 4 %fl.passed.0, ptr align 4 getelementptr (i8, ptr @s, i32 8), i32 ptrtoint (ptr getelementptr ({ i32, [2 x i8] }, ptr null, i32 1) to i32), i1 true), !dbg !7',
      '  call void (i32, ...) @g(i32 1, ptr noundef byval({ i32, [2 x i8] }) captures(none) align 4 %fl.passed.0, i32 2), !dbg !7',
    ])
    expect(withCopies(text[0])).toBeUndefined()
  })
})
