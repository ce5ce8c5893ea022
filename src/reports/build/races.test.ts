import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Machine } from '../../machine/machine.js'
import type { RaceRecord } from '../../races/index.js'
import { reportRaces } from './races.js'

const block = 'byte 20 of block 1 of thread main, allocated at q.cpp:37'

test.each([
  ['pushed_++;\npushed_ = 0;\n', block, `pushed_ (${block})`],
  // The two places call it differently; it has a name of its own.
  ['pushed_++;\nq->pushed_ = 0;\n', block, block],
  ['pushed_++;\npushed_ = 0;\n', 'total', 'total'],
])('a race on the heap is about what both places call it', (source, object, named) => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-races-'))
  writeFileSync(join(folder, 'q.cpp'), source)
  const columns = source.split('\n').map((line) => line.indexOf('pushed_') + 1)
  const place = { function: 'push', file: 'q.cpp' }
  const machine = {
    sites: [1, 2].map((line) => ({ ...place, name: `${line}`, line, column: columns[line - 1] })),
    threads: { labelOf: () => 'push', byName: () => 0 },
  } as unknown as Machine
  const access = (site: string) => ({ site, thread: `0.${site}`, write: true, atomic: false })
  const race: RaceRecord = {
    a: access('1'),
    b: access('2'),
    object,
    aFirst: 1,
    bFirst: 0,
    execution: 1,
    atOnce: true,
    sighting: null,
  }
  const [report] = reportRaces([race], machine, folder, { looksAgain: false })
  expect(report.object).toBe(named)
  expect(report.message).toContain(`two threads can use ${named} at the same time`)
})
