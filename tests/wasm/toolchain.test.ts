import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Artifact, CodeSite } from '../../src/frontends/wasm/artifact.js'
import { type Cache, folderCache } from '../../src/frontends/wasm/toolchain/cache.js'
import {
  BuildError,
  type BuildOptions,
  build,
  CompileError,
  MissingFileError,
  NoMainError,
  UnsupportedError,
} from '../../src/frontends/wasm/toolchain/index.js'
import { isFull } from '../support/effort.js'
import { miniRun, Overflow } from './mini-host.js'

let folder: string
let cache: Cache

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'faultline-toolchain-'))
  cache = folderCache(path.join(folder, 'cache'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Writes files under a fresh folder and builds them. */
let projects = 0
async function project(
  files: Record<string, string>,
  options: Partial<BuildOptions> = {},
): Promise<Artifact> {
  const cwd = path.join(folder, `project-${projects++}`)
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(cwd, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  const sources = options.sources ?? Object.keys(files).filter((name) => /\.(?:c|cpp|cc)$/.test(name))
  return build({ cwd, cache, ...options, sources })
}

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('it was built')
    },
    (error: Error) => error,
  )

const place = (site: CodeSite) => `${site.file}:${site.line} ${site.function} ${site.kind}${site.size}`

describe('a counter', () => {
  const counter = `#include <stdio.h>
int counter;
static _Thread_local int own = 3;
const int table[] = {1, 2, 3};
static void bump(int *p) {
  *p = *p + 1;
}
int main(int argc, char **argv) {
  for (int i = 0; i < 3; i++)
    bump(&counter);
  own++;
  printf("%d %s %d\\n", counter, argv[1], table[argc]);
  return own;
}
`
  let artifact: Artifact
  beforeAll(async () => {
    artifact = await project({ 'counter.c': counter })
  })

  it('runs and logs what it does', () => {
    const { code, output, log } = miniRun(artifact, { arguments: ['counter', 'x'] })
    expect(output).toBe('3 x 3\n')
    expect(code).toBe(4)
    const variable = artifact.variables.find((v) => v.name === 'counter')
    const accesses = log.filter((entry) => entry.address === variable?.address)
    expect(accesses.map((entry) => place(artifact.sites[entry.site]))).toEqual([
      ...Array(3).fill(['counter.c:6 bump load4', 'counter.c:6 bump store4']).flat(),
      'counter.c:12 main load4',
    ])
  })

  it('can be suspended at every access and atomic', () => {
    const { code, output, points, log } = miniRun(artifact, {
      arguments: ['counter', 'x'],
      flag: () => true,
      suspend: true,
    })
    expect(output).toBe('3 x 3\n')
    expect(code).toBe(4)
    expect(points).toBe(log.length)
    expect(points).toBeGreaterThan(8)
  })

  it('says who called', () => {
    const { calls } = miniRun(artifact, { arguments: ['counter', 'x'] })
    const write = calls.find((call) => call.name === 'fd_write')
    expect(write?.stack.map((site) => place(artifact.sites[site]))).toEqual(['counter.c:12 main call0'])
    expect(artifact.sites[write!.site].callee).toBe('printf')
  })

  it('has unique names of sites', () => {
    expect(new Set(artifact.sites.map((site) => site.name)).size).toBe(artifact.sites.length)
    expect(artifact.sites.map((site) => site.name)).toContain('counter.c:6:8:load')
  })

  it('has a map of its memory', () => {
    const { layout, variables } = artifact
    const inside = (v: { address: number } | undefined, start: number, end: number) =>
      v !== undefined && v.address >= start && v.address < end
    expect(
      inside(
        variables.find((v) => v.name === 'counter'),
        layout.dataStart,
        layout.dataEnd,
      ),
    ).toBe(true)
    expect(
      inside(
        variables.find((v) => v.name === 'table'),
        layout.constantStart,
        layout.constantEnd,
      ),
    ).toBe(true)
    expect(variables.find((v) => v.name === 'table')?.size).toBe(12)
    expect(variables.some((v) => v.name === 'own')).toBe(false)
    // The program's own, and four words of the runtime's.
    expect(layout.tls.size).toBe(20)
    expect(layout.errno).toBeGreaterThanOrEqual(layout.dataStart)
    const order = [layout.stackEnd, layout.dataStart, layout.dataEnd, layout.log, layout.flags, layout.free]
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(layout.flags + artifact.sites.length).toBeLessThanOrEqual(layout.free)
  })

  it('knows its functions', () => {
    expect(artifact.functions.filter((f) => f.user).map((f) => f.name)).toEqual(
      expect.arrayContaining(['main', 'bump']),
    )
    expect(artifact.functions.find((f) => f.name === 'printf')?.user).toBe(false)
  })

  it('gives every site a line', async () => {
    const { sites } = await project({ 'loop.c': 'int main(void) {\n  for (unsigned i = 0;; i++) {}\n}\n' })
    expect(sites.map((site) => [site.kind, site.line])).toEqual([['loop', 2]])
    expect(artifact.sites.every((site) => site.line !== undefined)).toBe(true)
  })

  it('knows where its loop ends', () => {
    const loop = artifact.sites.find((site) => site.kind === 'loop')!
    const inside = artifact.sites.filter((s) => s.offset > loop.offset && s.offset < loop.end!)
    expect(inside.map((site) => site.callee).filter(Boolean)).toEqual(['bump'])
  })
})

describe('atomics', () => {
  it('of every kind and size work, suspended or not, and say their order and outcome', async () => {
    const source = fileURLToPath(new URL('programs/atomics.c', import.meta.url))
    const artifact = await build({ sources: ['atomics.c'], cwd: path.dirname(source), cache })
    const plain = miniRun(artifact)
    expect(plain.output).toBe('ok\n')
    const suspended = miniRun(artifact, { flag: () => true, suspend: true })
    expect(suspended.output).toBe('ok\n')
    expect(suspended.log).toEqual(plain.log)

    const updates = plain.log.filter(
      ({ site }) => artifact.sites[site].kind === 'atomicUpdate' && artifact.sites[site].function === 'u32',
    )
    expect(updates.map((entry) => [entry.succeeded, entry.changed])).toEqual([
      ...Array(3).fill([true, true]),
      // 8 & 12 is 8.
      [true, false],
      ...Array(3).fill([true, true]),
      // The compare-exchange that fails.
      [false, false],
      ...Array(4).fill([true, true]),
    ])
    const acquire = plain.log.find(
      ({ site, order }) =>
        artifact.sites[site].kind === 'atomicLoad' && artifact.sites[site].size === 8 && order === 2,
    )
    expect(acquire).toBeDefined()
    const whole = plain.log.filter(({ length }) => length === 20).map(({ site }) => artifact.sites[site].kind)
    expect(new Set(whole)).toEqual(new Set(['call', 'atomicStore', 'atomicLoad', 'atomicUpdate']))
    expect(plain.log.filter(({ site }) => artifact.sites[site].kind === 'fence')).toHaveLength(1)
  })

  it('of 16 bytes are refused', async () => {
    const error = await failure(
      project({ 'wide.c': '_Atomic __int128 x;\nint main(void) {\n  x += 3;\n}\n' }),
    )
    expect(error).toBeInstanceOf(UnsupportedError)
    expect(error.message).toBe(
      'wide.c:3: the program uses a 16-byte atomic, which Faultline does not provide',
    )
  })
})

describe('ranges', () => {
  it('copies and fills of memory are accesses of a range', async () => {
    const artifact = await project({
      'copy.c': `#include <string.h>
struct pair { int a[6]; } from = {{1, 2, 3}}, to;
char text[32];
int main(void) {
  to = from;
  memset(text, 'x', sizeof text);
  memcpy(text, "hello", 6);
  return to.a[2] + text[6];
}
`,
    })
    const { code, log } = miniRun(artifact, { flag: () => true, suspend: true })
    expect(code).toBe(3 + 'x'.charCodeAt(0))
    const ranges = log.filter((entry) => entry.length !== undefined)
    expect(ranges.map((e) => [artifact.sites[e.site].line, e.wrote, e.length])).toEqual([
      [5, false, 24],
      [5, true, 24],
      [6, true, 32],
      [7, false, 6],
      [7, true, 6],
    ])
  })
})

describe('strings', () => {
  const source = `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char a[32], b[32];
int main(void) {
  strcpy(a, "hello");
  assert(strlen(a) == 5);
  strcat(a, " you");
  strncat(a, "xyz", 1);
  assert(strcmp(a, "hello youx") == 0);
  assert(strncmp(a, "help", 3) == 0);
  assert(memcmp(a, "hell", 4) == 0);
  assert(strchr(a, 'l') == a + 2);
  assert(strrchr(a, 'l') == a + 3);
  assert(memchr(a, 'o', 32) == a + 4);
  assert(strstr(a, "you") == a + 6);
  strncpy(b, "12", 4);
  assert(atoi(b) == 12);
  assert(snprintf(b, 4, "%d", 12345) == 5);
  assert(sprintf(b, "%s!", "no") == 3);
  char *c = strdup(a);
  assert(strnlen(c, 4) == 4);
  puts(b);
  return 0;
}
`
  it('are seen through the functions of the library', async () => {
    const artifact = await project({ 'strings.c': source })
    const plain = miniRun(artifact)
    expect(plain.output).toBe('no!\n')
    const suspended = miniRun(artifact, { flag: () => true, suspend: true })
    expect(suspended.output).toBe('no!\n')
    expect(suspended.log).toEqual(plain.log)

    const [a, b] = ['a', 'b'].map((name) => artifact.variables.find((v) => v.name === name)!)
    const touched = plain.log.flatMap(({ site, address, length, wrote }) => {
      const variable = [a, b].find((v) => address >= v.address && address < v.address + v.size)
      if (!variable || length === undefined) return []
      const { callee } = artifact.sites[site]
      return [
        `${callee} ${wrote ? 'writes' : 'reads'} ${variable.name}+${address - variable.address}:${length}`,
      ]
    })
    expect(touched).toEqual([
      'strcpy writes a+0:6',
      'strlen reads a+0:6',
      'strcat reads a+0:6',
      'strcat writes a+5:5',
      'strncat reads a+0:10',
      'strncat writes a+9:2',
      'strcmp reads a+0:11',
      'strncmp reads a+0:3',
      'memcmp reads a+0:4',
      'strchr reads a+0:3',
      'strrchr reads a+0:11',
      'memchr reads a+0:5',
      'strstr reads a+0:11',
      'strncpy writes b+0:4',
      'atoi reads b+0:3',
      'snprintf writes b+0:4',
      'sprintf writes b+0:4',
      // Once for its length and once to copy: others may have run while it allocated.
      'strdup reads a+0:11',
      'strdup reads a+0:11',
      'puts reads b+0:4',
    ])
  })

  it('of the user are not replaced', async () => {
    const artifact = await project(
      {
        'own.c': 'unsigned long strlen(const char *s);\nint main(void) { return strlen("abc"); }\n',
        'strlen.c': 'unsigned long strlen(const char *s) { return 42; }\n',
      },
      { flags: ['-fno-builtin', '-w'] },
    )
    expect(miniRun(artifact).code).toBe(42)
  })
})

describe('what goes wrong', () => {
  it('a missing file is named', async () => {
    const error = await failure(project({}, { sources: ['nowhere.c'] }))
    expect(error).toBeInstanceOf(MissingFileError)
    expect(error.message).toBe('nowhere.c: no such file')
  })

  it('diagnostics have the paths of the user', async () => {
    const error = await failure(
      project(
        {
          'src/a.c': '#include "b.h"\nint main(void) { return missing; }\n',
          'include/b.h': 'int f(void) { return gone; }\n',
        },
        { include: ['include'] },
      ),
    )
    expect(error).toBeInstanceOf(CompileError)
    const { diagnostics } = error as CompileError
    expect(diagnostics).toContain('src/a.c:2:25: error:')
    expect(diagnostics).toContain('include/b.h:1:22: error:')
    expect(diagnostics).toContain('In file included from src/a.c:1:')
    expect(diagnostics).not.toContain(folder)
  })

  it('a program without main', async () => {
    const error = await failure(project({ 'library.c': 'int twice(int x) { return 2 * x; }\n' }))
    expect(error).toBeInstanceOf(NoMainError)
    expect(error.message).toMatch(/^no main function in library\.c; /)
  })

  it('a function nobody provides, with the place that calls it', async () => {
    const error = await failure(
      project({ 'unknown.c': 'void launch(int);\nint main(void) {\n  launch(3);\n  return 0;\n}\n' }),
    )
    expect(error).toBeInstanceOf(UnsupportedError)
    expect(error.message).toBe(
      'unknown.c:3: the program calls launch(), which Faultline does not provide; if it is one of yours, give the file that defines it, too',
    )
  })

  it('tail calls', async () => {
    const text = `int callee(int x) { return 3 * x; }
int caller(int x) { __attribute__((musttail)) return callee(x); }
int main(void) { return caller(5); }
`
    const error = await failure(project({ 'tail.c': text }, { flags: ['-mtail-call'] }))
    expect(error).toBeInstanceOf(UnsupportedError)
    expect(error.message).toBe('the program uses tail calls, which Faultline does not support')
  })

  it('a symbol defined twice', async () => {
    const error = await failure(
      project({ 'a.c': 'int x;\nint main(void) { return x; }\n', 'b.c': 'int x = 2;\n' }),
    )
    expect(error).toBeInstanceOf(CompileError)
    expect(error.message).toContain('duplicate symbol: x')
    expect(error.message).toContain('a.c')
    expect(error.message).toContain('b.c')
  })

  it('a function called like one of libc is the one that is called, from other files too', async () => {
    const artifact = await project({
      'list.c': 'int remove(int *list, int key) { return list[key]; }\nint link(void) { return 4; }\n',
      'main.c': `int remove(int *list, int key);
int link(void);
int main(void) { int list[] = {1, 2, 3}; return 10 * remove(list, 2) + link(); }
`,
    })
    expect(artifact.build.warnings).toBe('')
    expect(miniRun(artifact).code).toBe(34)
  })

  it('a symbol defined twice, and by libc as well', async () => {
    const error = await failure(
      project({
        'a.c': 'int remove(int x) { return x; }\nint main(void) { return remove(1); }\n',
        'b.c': 'int remove(int x) { return -x; }\n',
      }),
    )
    expect(error).toBeInstanceOf(CompileError)
    expect(error.message).toContain('duplicate symbol: remove')
    expect(error.message).toContain('b.c')
  })

  it('recursion without end is noticed, with and without frames on the stack', async () => {
    const artifact = await project({
      'deep.c': `#include <string.h>
int down(int n) { return down(n + 1); }
int framed(int n) { volatile char room[512]; room[0] = n; return framed(n + room[0]) + room[1]; }
int main(int argc, char **argv) { return argv[1][0] == 'f' ? framed(1) : down(1); }
`,
    })
    for (const [argument, line] of [
      ['f', 3],
      ['d', 2],
    ] as const) {
      let caught: unknown
      try {
        miniRun(artifact, { arguments: ['deep', argument] })
      } catch (error) {
        caught = error
      }
      expect(caught).toBeInstanceOf(Overflow)
      expect(artifact.sites[(caught as Overflow).site].line).toBe(line)
    }
  })
})

describe('options', () => {
  it('several sources, include directories, definitions, standard, optimisation', async () => {
    const artifact = await project(
      {
        'main.c':
          '#include "util/add.h"\n#include <config.h>\nint main(void) { return add(VALUE, OTHER); }\n',
        'util/add.h': 'int add(int, int);\n',
        'util/add.c': '#include "add.h"\nint calls;\nint add(int a, int b) { calls++; return a + b; }\n',
        'conf/config.h': '#if __STDC_VERSION__ != 199901L\n#error standard\n#endif\n#define OTHER 4\n',
      },
      { include: ['conf'], define: ['VALUE=3'], standard: 'c99', optimize: '1' },
    )
    expect(miniRun(artifact).code).toBe(7)
    expect(artifact.sites.some((site) => site.file === 'util/add.c' && site.kind === 'store')).toBe(true)
    expect(artifact.build.flags).toEqual(['-O1', '-std=c99', '-DVALUE=3', '-Iconf'])
  })

  it('shows what was inlined', async () => {
    const artifact = await project(
      {
        'inline.c': `int total;
static inline __attribute__((always_inline)) void add(int n) {
  total += n;
}
int main(void) {
  add(4);
  return total;
}
`,
      },
      { optimize: '1' },
    )
    const store = artifact.sites.find((site) => site.kind === 'store' && site.line === 3)
    expect(store).toMatchObject({
      function: 'add',
      inlined: [{ function: 'main', file: 'inline.c', line: 6 }],
    })
  })

  it('__FILE__ is what the user wrote', async () => {
    const artifact = await project({
      'sub/file.c': '#include <stdio.h>\nint main(void) { puts(__FILE__); }\n',
    })
    expect(miniRun(artifact).output).toBe('sub/file.c\n')
  })

  it('warnings are kept', async () => {
    const artifact = await project({ 'warn.c': 'int main(void) { int x = 1 / 0; return x; }\n' })
    expect(artifact.build.warnings).toMatch(/^warn\.c:1:28: warning: division by zero/)
  })

  it('warnings of the linker are, too', async () => {
    const artifact = await project({
      'a.c': 'int add(int);\nint main(void) { return add(1); }\n',
      'b.c': 'int add(int a, int b) { return a + b; }\n',
    })
    expect(artifact.build.warnings).toContain('function signature mismatch: add')
    expect(artifact.build.warnings).toContain('in a.c')
    expect(artifact.sites.find((site) => site.kind === 'call')?.callee).toBe('add')
    expect(() => miniRun(artifact)).toThrow(WebAssembly.RuntimeError)
  })

  it('names that go up are those of the folder above, though the same name is beside the source', async () => {
    const artifact = await project({
      'shared/value.h': 'static int calls;\nstatic int twice(int n) { return calls++, 2 * n; }\n',
      'tests/value.h': '#include "../shared/value.h"\n#define HERE 1\n',
      'tests/deep/value.h': '#error not this one\n',
      'tests/deep/main.c':
        '#include "../value.h"\n#if 0\n#include "value.h"\n#endif\nint main(void) { return twice(HERE); }\n',
    })
    expect(miniRun(artifact).code).toBe(2)
    expect(new Set(artifact.sites.map((site) => site.file))).toEqual(
      new Set(['tests/deep/main.c', 'shared/value.h']),
    )
  })

  it('headers are found through further flags', async () => {
    const artifact = await project(
      {
        'main.c': '#include <a.h>\n#include "b.h"\nint main(void) { return A + B + C; }\n',
        'sys/a.h': '#define A 1\n',
        'quoted/b.h': '#define B 2\n',
        'forced.h': '#define C 4\n',
      },
      { flags: ['-isystem', 'sys', '-iquotequoted', '-include', 'forced.h'] },
    )
    expect(miniRun(artifact).code).toBe(7)
  })

  it('C++ compiles beside C', async () => {
    const artifact = await project(
      {
        'shape.cpp': `struct Shape {
  int sides = 3;
  virtual int count() { return sides; }
};
static Shape shape;
static Shape *some = &shape;
extern "C" int count() {
  __atomic_fetch_add(&shape.sides, 1, __ATOMIC_SEQ_CST);
  return some->count();
}
`,
        'main.c': 'int count(void);\nint main(void) { return count(); }\n',
      },
      { standard: 'c++20' },
    )
    expect(miniRun(artifact, { flag: () => true, suspend: true }).code).toBe(4)
    expect(artifact.sites.some((site) => site.function === 'Shape::count' && site.line === 3)).toBe(true)
  })
})

describe('a compiler of the user', () => {
  const cc = fileURLToPath(new URL('stand-in-cc.mjs', import.meta.url))
  const files = {
    'src/own.c':
      '#include <own.h>\n#include <errno.h>\nint x = N;\nint main(void) {\n  errno = x;\n  return 1 / 0;\n}\n',
    'include/own.h': '#define N 3\n',
  }

  // Its cache is empty: the runtime is compiled once more.
  it.runIf(isFull)('is used, with our headers and the paths of the user', async () => {
    vi.stubEnv('FAULTLINE_CACHE', path.join(folder, 'native'))
    const artifact = await project(files, { cc, include: ['include'] })
    expect(artifact.build.compiler).toBe('stand-in clang 1.0')
    expect(artifact.build.warnings).toMatch(/^src\/own\.c:6:12: warning: division by zero/)
    expect(artifact.sites.find((site) => site.kind === 'load')).toMatchObject({ file: 'src/own.c', line: 5 })
    const again = await project(files, { cc, include: ['include'] })
    expect(again.build.cached).toBe(true)
    expect(again.hash).not.toBe((await project(files, { include: ['include'] })).hash)
  })

  it('shows its diagnostics', async () => {
    vi.stubEnv('STAND_IN_REFUSES', 'yes')
    const error = await failure(project({ 'bad.c': 'int main(void) { return gone; }\n' }, { cc }))
    expect(error).toBeInstanceOf(CompileError)
    expect((error as CompileError).diagnostics).toMatch(/^bad\.c:1:25: error:/)
  })

  it('that is not there is named', async () => {
    const error = await failure(project(files, { cc: '/no/such/clang' }))
    expect(error).toBeInstanceOf(BuildError)
    expect(error.message).toMatch(/^the compiler \/no\/such\/clang cannot be run: /)
  })
})

describe('the cache', () => {
  const files = {
    'small.c': '#include "n.h"\nint x = N;\nint main(void) { return x; }\n',
    'n.h': '#define N 1\n',
  }

  it('gives the same artifact again, wherever the sources lie', async () => {
    const first = await project(files)
    const second = await project(files)
    expect(first.build.cached).toBe(false)
    expect(second.build.cached).toBe(true)
    expect(second).toEqual({ ...first, build: { ...first.build, cached: true } })
    expect(miniRun(second).code).toBe(1)
  })

  it('sees changes of headers, definitions and names', async () => {
    const first = await project(files)
    const header = await project({ ...files, 'n.h': '#define N 2\n' })
    expect(header.build.cached).toBe(false)
    expect(miniRun(header).code).toBe(2)
    const define = await project(files, { define: ['UNUSED'] })
    expect(define.build.cached).toBe(false)
    expect(new Set([first.hash, header.hash, define.hash]).size).toBe(3)
  })

  /** An empty one, but for the runtime, which takes long to compile. */
  async function withRuntimeOnly(name: string): Promise<string> {
    const other = path.join(folder, name)
    await mkdir(other)
    await project(files)
    for (const entry of await readdir(path.join(folder, 'cache'))) {
      if (entry.startsWith('runtime-'))
        await copyFile(path.join(folder, 'cache', entry), path.join(other, entry))
    }
    return other
  }

  // What is taken for damaged is tested of the cache itself.
  it('builds again what was damaged', async () => {
    const broken = folderCache(await withRuntimeOnly('broken'))
    const first = await project(files, { cache: broken })
    const file = path.join(folder, 'broken', `${first.hash}.bin`)
    await writeFile(file, (await readFile(file)).subarray(0, -100))
    const again = await project(files, { cache: broken })
    expect(again.build.cached).toBe(false)
    expect(again.wasm).toEqual(first.wasm)
    expect((await project(files, { cache: broken })).build.cached).toBe(true)
  })

  it('is safe for two builds at once', async () => {
    const shared = await withRuntimeOnly('shared')
    const [a, b] = await Promise.all([
      project(files, { cache: folderCache(shared) }),
      project(files, { cache: folderCache(shared) }),
    ])
    expect(a.wasm).toEqual(b.wasm)
    expect((await readdir(shared)).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect((await project(files, { cache: folderCache(shared) })).build.cached).toBe(true)
  })

  it('is not needed', async () => {
    const blocked = path.join(folder, 'blocked')
    await writeFile(blocked, 'a file where the folder should be')
    const artifact = await project(files, { cache: folderCache(blocked) })
    expect(miniRun(artifact).code).toBe(1)
  })
})
