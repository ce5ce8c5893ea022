import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'

/** A folder with files in folders. */
function tree(files: Readonly<Record<string, string>>): string {
  const folder = folderWith({})
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

it('finds headers wherever people have them', async () => {
  const folder = tree({
    'tests/queue_test.c': `#include <assert.h>
#include "../src/queue.h"
#include "helper.h"
#include <third/lib.h>
#include "linked/inner.h"
#include CONFIG
#ifdef LIMITS
#include LIMITS
#endif
int main(void) { assert(SRC + HELPER + THIRD + INNER + FORCED + MACRO + QUOTED + NAMED + LIMIT == ALL); return 0; }
`,
    'src/queue.h': '#include "detail/node.h"\n#include "quoted.h"\n',
    'src/detail/node.h': '#include "../sizes.h"\n',
    'src/sizes.h': '#pragma once\n#define SRC 1\n',
    'src/generated/inner.h': '#include "../sizes.h"\n#define INNER 2\n',
    'tests/helper.h': '#define HELPER 4\n',
    'vendor/include/third/lib.h': '#define THIRD 8\n',
    'config/forced.h': '#define FORCED 16\n',
    'config/macros.h': '#define MACRO 32\n',
    'only quoted/quoted.h': '#define QUOTED 64\n',
    'vendor/include/third/config.h': '#define NAMED 128\n',
    'vendor/include/third/early.h': 'static const uint32_t early = INT32_MAX;\n',
    'tests/limits.inc': '#define LIMIT 256\n',
    flags: `-isystem vendor/include -include config/forced.h
-include stdint.h -include third/early.h -imacros config/macros.h -DALL=511 -iquote "only quoted"
-DCONFIG=<third/config.h> '-DLIMITS="limits.inc"'`,
  })
  appendFileSync(
    join(folder, 'src/queue.h'),
    `#include "${join(folder, 'src/sizes.h')}"\n#ifndef SRC\n#error\n#endif\n`,
  )
  symlinkSync('../src/generated', join(folder, 'tests/linked'))
  symlinkSync('tests', join(folder, 'checks'))
  for (const file of ['tests/queue_test.c', 'checks/queue_test.c', join(folder, 'tests/queue_test.c')]) {
    const { code, out, err } = await faultline(folder, ['check', file, '@flags'])
    expect(code, out + err).toBe(0)
  }
  // All of them belong to the program: a schedule does not fit another one.
  const racy = await faultline(folder, ['check', 'tests/queue_test.c', '@flags', '-DALL=1', '--json'])
  expect(JSON.parse(racy.out).bugs[0].kind).toBe('assertion')
  const { schedule } = JSON.parse(racy.out).bugs[0]
  expect((await faultline(folder, ['replay', schedule])).code).toBe(1)
  const headers = ['vendor/include/third/lib.h', 'src/sizes.h', 'config/forced.h']
  for (const name of headers) appendFileSync(join(folder, name), '#define CHANGED\n#undef CHANGED\n')
  const { err } = await faultline(folder, ['replay', schedule])
  for (const name of headers) expect(err).toContain(`${name} changed`)
})

it('has what headers written for glibc take for granted', async () => {
  const folder = tree({
    'lib.h': '#include <stdlib.h>\n__BEGIN_DECLS\nssize_t one(void);\n__END_DECLS\n',
    'lib.c': '#include <sys/cdefs.h>\n#include "lib.h"\nssize_t one(void) { return 1; }\n',
    // What C++20 has no more is there as well.
    'main.cpp': `#include <cstdlib>
#include <type_traits>
#include "lib.h"
std::result_of<decltype (&one)()>::type result;
int main() { return one() == 1 ? EXIT_SUCCESS : 1; }
`,
  })
  const { code, out, err } = await faultline(folder, ['check', 'main.cpp', 'lib.c'])
  expect(code, out + err).toBe(0)
  const lists = await faultline(process.cwd(), ['check', 'tests/c/queue-macros.c'])
  expect(lists.code, lists.out + lists.err).toBe(0)
})
