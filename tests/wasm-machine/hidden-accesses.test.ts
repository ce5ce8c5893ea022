import { beforeAll, describe, expect, it } from 'vitest'
import { type Artifact, build, unseenCaveats, wasmMachine } from '../../src/frontends/wasm/index.js'
import { hasBareAtomics } from '../../src/frontends/wasm/rewrite/bare-atomics.js'
import { fileAt, runTool } from '../../src/frontends/wasm/toolchain/clang.js'
import { TARGET } from '../../src/frontends/wasm/toolchain/flags.js'
import { withHiddenAccesses } from '../../src/frontends/wasm/toolchain/hidden-accesses.js'
import { isFull } from '../support/effort.js'
import { endsOf } from './support.js'

const cases: [number: number, what: string, ends: string[]][] = [
  [1, 'strlen, called through a pointer', ['ok 1', 'ok 3']],
  [2, 'strcasecmp, called through a pointer', ['ok -98', 'ok 0']],
  [3, 'memcpy, called through a pointer', ['ok 0', 'ok 98']],
  [4, 'memset, called through a pointer', ['ok 120', 'ok 99']],
  [5, 'strcmp, called by the library', ['ok 0', 'ok 1']],
  [6, 'the greater of two numbers', ['ok 2', 'ok 7']],
  [7, 'the smaller of two numbers of a byte', ['ok 1', 'ok 2']],
  [8, 'sums of fractions', ['ok 4', 'ok 7']],
  [9, 'writing a long vector', ['ok 0', 'ok 7']],
  [10, 'reading a long vector', ['ok 7', 'ok 9']],
  [11, 'the greater of a number and what is none', ['ok 2']],
]

describe.each(isFull ? ['0', '1', '2'] : ['0'])('accesses without a hook are seen: -O%s', (optimize) => {
  let artifact: Artifact
  beforeAll(async () => {
    artifact = await build({ sources: ['tests/c/hidden-accesses.c'], optimize })
  })

  it.each(cases)('%i: %s', async (number, _, ends) => {
    const machine = await wasmMachine(artifact, { args: [String(number)] })
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual(ends)
  })

  it('and nothing else is called', () => {
    expect(unseenCaveats(artifact)).toEqual([])
  })

  it('what else a pointer leads to is told', () => {
    const unknown = { name: 'wordexp', symbol: 'wordexp', pointers: [3], user: false }
    const own = { name: 'wrapper_cmp', symbol: 'wrapper_cmp', pointers: [4], user: false }
    const functions = [...artifact.functions, unknown, own]
    expect(unseenCaveats({ ...artifact, functions })).toEqual([expect.stringMatching(/^what wordexp read/)])
  })
})

it.each([
  [
    'a load, which a compiler may have left beside the call that replaced it',
    'return __atomic_load_n(&x, 5);',
    false,
  ],
  ['a store', '__atomic_store_n(&x, 1, 5); return 1;', true],
  ['an update', 'return __atomic_fetch_add(&x, 1, 5);', true],
])('code without hooks is noticed by its atomics: %s', async (_, body, isBare) => {
  const files = { 'unit.c': `int x; int f(void) { ${body} }` }
  const compiled = await runTool('clang', [...TARGET, '-c', '/unit.c', '-o', '/unit.o'], files)
  expect(hasBareAtomics(fileAt(compiled.files, 'unit.o')!)).toBe(isBare)
})

describe('the text that the pass looks at', () => {
  it('has a loop for an update that the pass does not know, with its order', () => {
    const line =
      '  %3 = atomicrmw umax ptr getelementptr (i8, ptr @s, i32 8), i16 %2 release, align 2, !dbg !7'
    const text = withHiddenAccesses(`define void @f() {\n${line}\n}`)
    expect(text).toContain(
      '  %3 = call i16 @fl.umax.i16.release(ptr getelementptr (i8, ptr @s, i32 8), i16 %2), !dbg !7',
    )
    expect(text).toContain('cmpxchg ptr %object, i16 %found, i16 %wanted release monotonic, align 2')
  })

  it('has a call before an access to a long vector', () => {
    const line = '  store <3 x double> %1, ptr @v, align 32, !dbg !7'
    expect(withHiddenAccesses(line)?.split('\n').slice(0, 2)).toEqual([
      '  call void @fl_writes(ptr @v, i32 24), !dbg !7',
      line,
    ])
  })

  it.each(['  %3 = atomicrmw add ptr %p, i32 1 seq_cst, align 4', '  %3 = load <4 x i32>, ptr %p, align 16'])(
    'stays as it is otherwise: %s',
    (line) => {
      expect(withHiddenAccesses(line) ?? line).toMatch(new RegExp(`^${line.replace(/[<>]/g, '.')}`))
    },
  )
})
