import { expect, it } from 'vitest'
import { includedNames } from './sources.js'

const names = (text: string) => [...includedNames(new TextEncoder().encode(text))]

it('finds every way to name a header', () => {
  expect(
    names(`#include "a.h"
  #  include <b/c.h>
#ifdef X
#include_next <d.h>
#endif
#define CONFIG "e.h"
#include CONFIG
#if __has_include("f.h")
#embed <g.bin>
// #include "h.h"
int include = 3; char *s = "#include \\"no\\"";
`),
  ).toEqual(['a.h', 'b/c.h', 'd.h', 'e.h', 'g.bin', 'f.h'])
})
