import { describe, expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'
import { isFull } from '../support/effort.js'
import { judge, libraries, librariesFolder } from './libraries.js'

/** A cell of each library, and of each standard of C++; `npm run check:standards` has all. */
const cells = libraries.map((library, i) => ({
  ...library,
  standard: library.standards[i % library.standards.length],
}))

describe.runIf(isFull)('libraries as people write them', () => {
  it.each(cells)('$name under $standard', async ({ sources, standard, kinds }) => {
    for (const bug of [false, true]) {
      const argv = [...sources, `-std=${standard}`, ...(bug ? ['-DBUG'] : [])]
      const options = ['--json', '--quiet', '--out', folderWith({}), '--budget', '15m']
      const { out } = await faultline(librariesFolder, ['check', ...argv, ...options])
      expect(judge(JSON.parse(out), bug ? kinds : undefined)).toBe(null)
    }
  })
})
