import { expect, test } from 'vitest'

/** The tables are plain JavaScript, run by `npm run tables`. */
async function tableOf(name: string) {
  const folder = new URL('../../benchmarks/tables/', import.meta.url)
  return (await import(new URL(`${name}.js`, folder).href))[name]
}

const programs = ['one', 'two'].map((name) => ({ name, file: '', about: { like: 'reorder_3_bad' } }))
const commandOf = (program: { name: string }, subject: string) => `again ${program.name} ${subject}`

/** Every table, with a figure as it would measure it. */
const figures = {
  sampling: { hits: 30, samples: 1000 },
  search: { found: 7, isWhole: true, executions: 7, seconds: 0.5 },
  reduction: { executions: 12, classes: 6, isWhole: true },
  estimation: { truth: 100, ratios: [0.1, 0.5, 2, 1, 1, 1, 1] },
  stress: { runs: 300, failed: 2 },
}

test.each(Object.entries(figures))(
  '%s: rows of what was measured, and a command for it',
  async (name, figure) => {
    const table = await tableOf(name)
    const { text, plots } = table.page(programs, () => figure, commandOf)
    for (const { name: program } of programs) expect(text).toContain(`| ${program} `)
    expect(text).toContain('again one')
    for (const svg of Object.values<string>(plots)) {
      expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
      expect(svg).not.toMatch(/NaN|Infinity|undefined/)
    }
  },
)

test.each(Object.keys(figures))('%s: nothing was measured yet', async (name) => {
  const table = await tableOf(name)
  const { text, plots } = table.page(programs, () => undefined, commandOf)
  expect(text).toBe('Nothing yet.\n')
  expect(plots).toEqual({})
})

test('the geometric mean counts no hit as one, and figures are beside the published ones', async () => {
  const table = await tableOf('sampling')
  const resultOf = (_: unknown, sampler: string) => ({ hits: sampler === 'pos' ? 100 : 0, samples: 1000 })
  const { text } = table.page(programs, resultOf, commandOf)
  const mean = text.split('\n').find((line: string) => line.startsWith('| **geometric'))
  expect(mean).toContain('**0.0010** | **0.10**')
  expect(text).toContain('0.10 / 0.10')
})
