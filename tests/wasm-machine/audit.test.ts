import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { build, UnsupportedError } from '../../src/frontends/wasm/index.js'
import { adviceOn } from '../../src/frontends/wasm/refused-calls.js'
import { fileAt, putFile, runTool, type Tree } from '../../src/frontends/wasm/toolchain/clang.js'
import { RUNTIME } from '../../src/frontends/wasm/toolchain/flags.js'
import { readRuntime } from '../../src/frontends/wasm/toolchain/runtime.js'

/** docs/runtime.md against what programs can be built with. */

const HEADERS = [
  ...['pthread.h', 'sched.h', 'semaphore.h', 'threads.h', 'time.h', 'unistd.h', 'signal.h', 'fcntl.h'],
  ...['poll.h', 'sys/select.h', 'sys/socket.h', 'sys/eventfd.h', 'sys/wait.h'],
]

let works: string[]
let refused: string[]

beforeAll(async () => {
  const [first, second] = (await readFile('docs/runtime.md', 'utf8')).split('## Refused')
  const functionsOf = (text: string, column: number) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .flatMap((line) =>
        [...(line.split('|')[column] ?? '').matchAll(/`([a-z]\w+)`/g)].map(([, name]) => name),
      )
  works = functionsOf(first, 2)
  refused = functionsOf(second, 2)
})

/** Builds a program that names all of them. */
async function name(functions: readonly string[]) {
  const cwd = await mkdtemp(join(tmpdir(), 'faultline-'))
  const headers = HEADERS.map((header) => `#include <${header}>\n`).join('')
  const undefined_ = functions.map((f) => `#undef ${f}\n`).join('')
  const list = functions.map((f) => `(void *)${f}`).join(', ')
  await writeFile(
    join(cwd, 'all.c'),
    `${headers}${undefined_}void *volatile all[] = {${list}};\nint main(void) { return all[0] == 0; }\n`,
  )
  return build({ sources: ['all.c'], cwd })
}

describe('the functions of docs/runtime.md', () => {
  it('that work can be used', async () => {
    expect(works.length).toBeGreaterThan(120)
    await name(works)
  })

  it('that are refused are refused, all of them, with advice where there is an alternative', async () => {
    const error = await name(refused).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(UnsupportedError)
    expect([...(error as UnsupportedError).functions].sort()).toEqual([...refused].sort())
    for (const f of refused) {
      const advice = adviceOn(f)
      if (advice !== undefined)
        expect((error as Error).message).toContain(`${f}(), which Faultline does not provide; ${advice}`)
    }
  })

  it('are all that the headers declare', async () => {
    const tree: Tree = {}
    for (const { name, content } of readRuntime().headers) putFile(tree, `/include/${name}`, content)
    putFile(tree, '/all.c', HEADERS.map((header) => `#include <${header}>\n`).join(''))
    const args = [...RUNTIME, '-isystem', '/include', '-E', '/all.c', '-o', '/all.i']
    const { files } = await runTool('clang', args, tree)
    const text = new TextDecoder().decode(fileAt(files, 'all.i'))
    const declared = new Set(
      [...text.matchAll(/\b((?:pthread|sched|sem|thrd|mtx|cnd|tss)_\w+|call_once)\s*\(/g)].map(([, f]) => f),
    )
    expect(declared.size).toBeGreaterThan(120)
    expect([...declared].filter((f) => !works.includes(f) && !refused.includes(f))).toEqual([])
  })

  it('that work are used by a test or an example', async () => {
    const folders = ['tests/c', 'tests/raw', 'examples/c', 'tests/wasm-machine']
    const texts = await Promise.all(
      folders.map(async (folder) => {
        const files = (await readdir(folder, { recursive: true })).filter((f) => /\.(?:c|ts)$/.test(f))
        return Promise.all(files.map((f) => readFile(join(folder, f), 'utf8')))
      }),
    )
    const all = texts.flat().join('\n')
    expect(works.filter((f) => !new RegExp(`\\b${f}\\(`).test(all))).toEqual([])
  })
})
