import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { isFull } from '../support/effort.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const page = readFileSync(`${root}docs/projects.md`, 'utf8')
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) => text)
const missing = ['cmake', 'make', 'autoconf'].filter(
  (tool) => spawnSync(tool, ['--version']).error !== undefined,
)
const reason = `${missing.join(', ')} is not installed`
if (missing.length > 0 && process.env.NEEDS_ALL_TOOLS) throw new Error(reason)

/** Each block of docs/projects.md, in a copy of the sample, with the package's commands on the path. */
describe('docs/projects.md', () => {
  beforeEach(({ skip }) => skip(missing.length > 0, reason))

  it('has the ways it tells of', () => {
    expect(blocks.map((block) => block.split('\n')[0].split(' ')[0])).toEqual([
      'cmake',
      'cmake',
      'make',
      'cd',
      'cmake',
    ])
  })

  it.runIf(isFull).each(blocks.map((block) => [block.trimEnd().split('\n').at(-1)!, block]))(
    '%s finds the bug',
    (_, block) => {
      const folder = mkdtempSync(join(tmpdir(), 'faultline-project-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      cpSync(`${root}examples/projects/queue`, join(folder, 'queue'), { recursive: true })
      mkdirSync(join(folder, 'bin'))
      for (const name of ['faultline', 'faultline-cc', 'faultline-c++', 'faultline-ar', 'faultline-ranlib'])
        symlinkSync(`${root}bin/${name}.js`, join(folder, 'bin', name))
      const { stdout, stderr, status } = spawnSync('bash', ['-e', '-c', block], {
        cwd: join(folder, 'queue'),
        encoding: 'utf8',
        env: {
          ...process.env,
          FAULTLINE: root,
          FAULTLINE_CACHE: join(folder, 'cache'),
          PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
        },
      })
      expect(stdout, stderr).toMatch(/BUG trap: .*\n\s+(?:\d: )?\s*at (?:\.\.\/)?src\/queue\.c:27/)
      if (!block.includes('ctest')) expect(status).toBe(1)
      else {
        expect(stdout).toMatch(/total_interleavings \.+ +Passed/)
        expect(stdout).toMatch(/queue_interleavings \.+\**Failed/)
        expect(readFileSync(join(folder, 'queue/build/faultline/queue_interleavings.xml'), 'utf8')).toMatch(
          /<testsuites[\s\S]*<failure/,
        )
      }
    },
  )
})
