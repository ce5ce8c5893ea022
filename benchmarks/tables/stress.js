// How often running a program natively shows its bug: what is found without any of this.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { corpusFolder } from '../../corpus/entries.js'

const runs = 300
/** Milliseconds after which a run counts as hanging. */
const patience = 2000
const headers = fileURLToPath(new URL('../../runtime/include/', import.meta.url))

const compiler = ['cc', 'gcc', 'clang'].find((name) => spawnSync(name, ['--version']).status === 0)

function build({ file, about }, binary) {
  const define = [...(about.define ?? []), 'BUG'].map((text) => `-D${text}`)
  const source = join(corpusFolder, file)
  const include = existsSync(join(headers, 'faultline.h')) ? [] : ['-I', headers]
  return spawnSync(compiler, ['-O1', '-pthread', ...include, ...define, source, '-o', binary]).status === 0
}

export const stress = {
  name: 'stress',
  title: 'Stress',
  share: 0.15,
  subjects: () => ['native'],

  async run(program, _, seconds) {
    if (compiler === undefined) return { skipped: 'no compiler on this machine' }
    const folder = mkdtempSync(join(tmpdir(), 'faultline-stress-'))
    try {
      const binary = join(folder, 'program')
      if (!build(program, binary)) return { skipped: 'needs what only Faultline has' }
      // Their processor time is not ours: this is wall time.
      const end = performance.now() + 1000 * seconds
      let ran = 0
      let failed = 0
      while (ran < runs && performance.now() < end) {
        const { status, signal } = spawnSync(binary, { timeout: patience, stdio: 'ignore' })
        ran++
        if (status !== 0 || signal !== null) failed++
      }
      return { runs: ran, failed }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },

  page(programs, resultOf, commandOf) {
    const ran = programs.filter((p) => resultOf(p, 'native')?.runs > 0)
    const [skipped] = programs.map((p) => resultOf(p, 'native')?.skipped).filter(Boolean)
    if (ran.length === 0) return { text: `${skipped ?? 'Nothing yet'}.\n`, plots: {} }
    const never = ran.filter((p) => resultOf(p, 'native').failed === 0)
    const rows = ran.map((p) => {
      const { runs: n, failed } = resultOf(p, 'native')
      return `| ${p.name} | ${failed} | ${n} |\n`
    })
    return {
      text: `Runs of the program, compiled by ${compiler} at -O1, that failed or hung: ${never.length} of ${ran.length} bugs never showed.

| program | failed | runs |
|---|---|---|
${rows.join('')}
One figure: \`${commandOf(ran[0], 'native')}\`
`,
      plots: {},
    }
  },
}
