import { expect, test } from 'vitest'
import { compile } from './compile.js'
import type { SourceSet } from './sources.js'

const unit = { path: '/x.cpp', display: 'x.cpp', content: new Uint8Array() }
const set = { units: [unit], files: [unit] } as unknown as SourceSet

/** How often a unit is compiled that always fails with these errors. */
async function tries(...errors: string[]): Promise<number> {
  let runs = 0
  const compiler = {
    async compile() {
      runs++
      return { object: undefined, diagnostics: errors.map((text) => `/user/x.cpp:3:1: ${text}\n`).join('') }
    },
  }
  expect((await compile(set, compiler, [])).object).toBeUndefined()
  return runs
}

test('an error that more headers cannot cure is told at once', async () => {
  expect(await tries("error: expected ';' after expression")).toBe(1)
  expect(await tries("fatal error: 'queue.h' file not found")).toBe(1)
  expect(await tries("error: redefinition of 'f'", "error: cannot initialize a variable of type 'int'")).toBe(
    1,
  )
})

test('one that they might cure is not', async () => {
  expect(await tries("error: use of undeclared identifier 'memcpy'")).toBe(2)
  expect(await tries("error: expected ';' after expression", "error: unknown type name 'uint8_t'")).toBe(2)
  expect(await tries("error: no member named 'sort' in namespace 'std', expected ';' after")).toBe(2)
})
