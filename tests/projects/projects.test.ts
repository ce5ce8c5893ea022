import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { faultline } from '../cli/run.js'

const sample = fileURLToPath(new URL('../../examples/projects/queue', import.meta.url))

function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-project-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(sample, folder, { recursive: true })
  return folder
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

const repair = (folder: string) => edit(join(folder, 'src/queue.c'), 'if (!q->first)', 'while (!q->first)')

const sources = ['src/item.c', 'src/queue.c', 'src/total.c', 'src/pool.c']

async function verdictOf(folder: string, ...args: string[]) {
  const { out, err } = await faultline(folder, ['check', ...args, '--json'])
  expect(out, err).not.toBe('')
  const { error, verdict, bugs, executions } = JSON.parse(out)
  const [bug] = bugs ?? []
  return { error, verdict, executions, bug: bug && `${bug.kind} at ${bug.location}`, err }
}

it('finds by the commands of a build what a test needs, and what to compile it with', async () => {
  const folder = project()
  edit(join(folder, 'src/total.c'), 'fetch_add(&total, n)', 'fetch_add(&total, n + EXTRA)')
  const commands = [...sources, 'tests/total_test.c', 'tests/queue_test.c'].map((file, i) => ({
    directory: join(folder, 'build'),
    file: `../${file}`,
    // Both forms that there are.
    ...(i % 2 === 0
      ? { command: `cc -O2 -Werror "-DEXTRA=0" -I../src -o ${i}.o -c ../${file}` }
      : { arguments: ['cc', '-DEXTRA=0', '-I', '../src', '-o', `${i}.o`, '-c', `../${file}`] }),
  }))
  cpSync(join(sample, 'README.md'), join(folder, 'build/README.md'))
  writeFileSync(join(folder, 'build/compile_commands.json'), JSON.stringify(commands))

  const racy = await verdictOf(folder, '-p', 'build/compile_commands.json', 'tests/queue_test.c')
  expect(racy.bug).toBe('trap at src/queue.c:27')
  expect(racy.err).toMatch(/^faultline: with .*src\/queue\.c.* \(from build\/compile_commands\.json\)$/m)
  expect([...racy.err.matchAll(/\w+\/\w+\.c/g)].map(([name]) => name).sort()).toEqual([...sources].sort())

  const small = await verdictOf(folder, '-p', 'build', 'tests/total_test.c')
  expect(small).toMatchObject({ verdict: 'verified', err: 'faultline: with src/total.c (from build)\n' })
  expect((await verdictOf(folder, '-p', 'nowhere', 'tests/total_test.c')).error).toMatch(
    /^nowhere: there is no such file; cmake writes one with/,
  )
})

it('compiles, archives and links as build systems ask for it, and checks what comes of it', async () => {
  const folder = project()
  const run = async (...args: string[]) => {
    const ran = await faultline(folder, args)
    expect(ran.err, args.join(' ')).toBe('')
    expect(ran.code, args.join(' ')).toBe(0)
    return ran.out
  }
  const builds = async () => {
    for (const name of ['item', 'queue', 'total', 'pool'])
      await run(
        'cc',
        '-O2',
        '-fPIC',
        '-Werror',
        '-c',
        `src/${name}.c`,
        '-o',
        `${name}.o`,
        '-MMD',
        '-MF',
        `${name}.d`,
      )
    writeFileSync(join(folder, 'objects'), 'item.o "queue.o"\ntotal.o')
    await run('ar', 'rcs', 'libqueue.a', '@objects', 'pool.o')
    await run('cc', 'tests/queue_test.c', '-L.', '-lqueue', '-lpthread', '-o', 'queue_test')
  }
  await builds()
  expect(await run('ar', 't', 'libqueue.a')).toBe('item.o\nqueue.o\ntotal.o\npool.o\n')
  expect(readFileSync(join(folder, 'pool.d'), 'utf8').split(/[\s\\]+/)).toEqual(
    expect.arrayContaining(['pool.o:', 'src/pool.c', 'src/pool.h', 'src/queue.h', 'src/item.h']),
  )
  const whole = await verdictOf(folder, 'tests/queue_test.c', ...sources)
  expect(whole.bug).toBe('trap at src/queue.c:27')
  for (const files of [
    ['queue_test'],
    ['tests/queue_test.c', 'libqueue.a'],
    ['tests/queue_test.c', 'item.o', 'queue.o', 'total.o', 'pool.o'],
  ])
    expect(await verdictOf(folder, ...files), files.join(' ')).toEqual(whole)

  repair(folder)
  await builds()
  expect(await verdictOf(folder, 'queue_test')).toMatchObject({ verdict: 'verified' })

  // What is wrong is said, and ends with 1, as a compiler does.
  const fails = async (args: string[], message: RegExp) => {
    const { code, err } = await faultline(folder, args)
    expect(err).toMatch(message)
    expect(code).toBe(1)
  }
  writeFileSync(join(folder, 'lacks.c'), 'int gone(void);\nint main(void) { return gone(); }\n')
  writeFileSync(join(folder, 'wrong.c'), 'int main(void) { return 0 }\n')
  await fails(['cc', 'lacks.c', '-o', 'lacks'], /does not link\nthe program calls gone\(\)/)
  await fails(['cc', '-c', 'wrong.c'], /wrong\.c:1:\d+: error: expected ';'/)
  await fails(['cc', '-shared', 'item.o'], /shared libraries cannot be made/)
  await fails(['cc', 'item.o', '-lz'], /cannot find -lz/)
  writeFileSync(join(folder, 'other'), 'ELF')
  expect((await verdictOf(folder, 'other')).error).toMatch(/^other: this was not linked by faultline cc/)
  expect(await run('cc', '-E', 'src/total.c')).toMatch(/^static atomic_int total;$/m)
})

it('runs a program once, as if by itself, whatever it is called', async () => {
  const folder = project()
  writeFileSync(
    join(folder, 'print.c'),
    '#include <stdio.h>\nint main(int n, char **a) { printf("%s\\n", a[1]); fputs("x", stderr); return n; }\n',
  )
  expect((await faultline(folder, ['cc', 'print.c', '-o', '.1'])).code).toBe(0)
  expect(await faultline(folder, ['run', '.1', 'hello'])).toEqual({ code: 2, out: 'hello\n', err: 'x' })
})
