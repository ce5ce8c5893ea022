import { beforeAll, describe, expect, it } from 'vitest'
import { passesByValue } from './bitcode.js'
import { fileAt, runTool } from './clang.js'
import { INSTRUMENTED } from './compile.js'
import { seeingArguments } from './passed-structures.js'

/** As who compiles one unit runs the compiler. */
const runOn =
  (text: string, ...flags: string[]) =>
  async (args: readonly string[], llvm?: Uint8Array) => {
    const files = { 'unit.c': text, ...(llvm ? { 'unit.llvm': llvm } : {}) }
    const given = llvm ? ['/unit.llvm'] : []
    const result = await runTool('clang', [...INSTRUMENTED, ...flags, ...args, ...given, '-o', '/out'], files)
    return { object: result.ok ? fileAt(result.files, 'out') : undefined, diagnostics: result.stderr }
  }

const bitcodeOf = async (text: string) =>
  (await runOn(text)(['-c', '-emit-llvm', '-Xclang', '-disable-llvm-passes', '/unit.c'])).object!

const pair = 'struct pair { int a, b, c; } shared;'

describe('whether a unit passes structures by value', () => {
  it.each([
    ['to a function', `${pair} int use(struct pair); int f(void) { return use(shared); }`, true],
    ['to a pointer', `${pair} int f(int (*use)(struct pair)) { return use(shared); }`, true],
    ['as one of many', `${pair} int use(int, ...); int f(void) { return use(1, shared); }`, true],
    ['that it defines only', `${pair} int f(struct pair p) { return p.a; }`, true],
    ['but pointers', `${pair} int use(struct pair *); int f(void) { return use(&shared); }`, false],
    ['but back', `${pair} struct pair f(void) { return shared; }`, false],
    ['or none', 'int f(void) { return 1; }', false],
  ])('%s', async (_, text, passes) => {
    expect(passesByValue(await bitcodeOf(text))).toBe(passes)
  })

  describe('is not known', () => {
    let bitcode: Uint8Array
    beforeAll(async () => {
      bitcode = await bitcodeOf(`${pair} int f(struct pair p) { return p.a; }`)
    })

    it('of what is no bitcode', () => {
      expect(passesByValue(new Uint8Array())).toBeUndefined()
      expect(passesByValue(new TextEncoder().encode('int f(void) { return 1; }'))).toBeUndefined()
    })

    it('where nothing has attributes', async () => {
      expect(passesByValue(await bitcodeOf(pair))).toBeUndefined()
    })

    it('of a part of it', () => {
      for (let end = 0; end < bitcode.length; end++)
        expect([undefined, true]).toContain(passesByValue(bitcode.subarray(0, end)))
    })
  })
})

describe('an object made of bitcode', () => {
  const text = `
    #include <stdatomic.h>
    #include <stdio.h>
    ${pair}
    static _Thread_local int own;
    atomic_int count;
    static inline int sum(const struct pair *p) { return p->a + p->b; }
    int f(int n) {
      for (int i = 0; i < n; i++) atomic_fetch_add(&count, sum(&shared));
      switch (n) { case 1: return 7; case 2: return 9; case 3: return 12; case 4: own++; break; }
      printf("%d\\n", own);
      return shared.c / n;
    }
    int unused;
    int g(void) { int nothing; return f(2); }
  `
  it.each(['-O0', '-O2'])('is the one that the source gives, warnings and all: %s', async (level) => {
    const run = runOn(text, level, '-Wall')
    const [direct, other] = [await run(['-c', '/unit.c']), await seeingArguments('/unit.c', run, false)]
    expect(direct.diagnostics).toContain("unused variable 'nothing'")
    expect(other.diagnostics).toBe(direct.diagnostics)
    expect(Buffer.from(other.object!).equals(direct.object!)).toBe(true)
  })

  it.each([
    ['before', 'int f(void) { return x; }'],
    ['after', 'int f(void) { __asm__("nonsense"); return 1; }'],
  ])('says what is wrong %s, where it is', async (_, wrong) => {
    const run = runOn(wrong)
    const [direct, other] = [await run(['-c', '/unit.c']), await seeingArguments('/unit.c', run, false)]
    expect(direct).toMatchObject({ object: undefined, diagnostics: expect.stringContaining('unit.c:1:') })
    expect(other).toEqual(direct)
  })
})
