import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Report } from '../../src/reports/report.js'
import { writeHtml } from '../../src/reports/write/html/page.js'
import { isFull } from '../support/effort.js'
import { axePath, describeInBrowser, type Page } from './browser.js'
import { passingReport, sampleReport } from './sample-report.js'

function written(report: Report): string {
  const path = join(mkdtempSync(join(tmpdir(), 'faultline-page-')), 'report.html')
  writeFileSync(path, writeHtml(report, { command: 'faultline' }))
  return path
}

/** The number of the step chosen. */
const chosen = (page: Page) =>
  page.evaluate(() => document.querySelector('a[aria-current=step]')?.id ?? 'none')

/** Waits until the page was drawn. */
const frames = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))

/** Faults that somebody who does not see or point could not get around. */
async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.addScriptTag({ content: readFileSync(axePath(), 'utf8') })
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run()
    return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0].html}`)
  })
}

describeInBrowser('page of a failing run', (open) => {
  it('shows a row per run, a column per thread, and marks', async () => {
    const { page, trouble } = await open(written(sampleReport()))
    expect(await page.locator('table.lanes thead th').count()).toBe(4)
    expect(await page.locator('tr.run').count()).toBe(6)
    expect(await page.locator('tr.run li > a').count()).toBe(24)
    expect(await page.locator('li.told').count()).toBe(3)
    expect(await page.locator('table.lanes li.failed').count()).toBe(1)
    expect(await page.locator('.switch.preempted').count()).toBe(5)
    expect(await page.locator('.switch.preempted').first().textContent()).toBe(
      'main is preempted at an access, before read counter: conflicts with step 6, write',
    )
    expect(await page.locator('.ln.here').textContent()).toContain('counter++')
    expect(trouble).toEqual([])
    await page.close()
  })

  it('is walked through by keyboard', async () => {
    const { page, trouble } = await open(written(sampleReport()))
    expect(await chosen(page)).toBe('b1s7')
    const path: string[] = []
    for (const key of ['j', 'ArrowDown', 'k', 's', 'p', 'n', 'b', 'f', 'Home', 'End']) {
      await page.keyboard.press(key)
      path.push(`${key} ${await chosen(page)}`)
    }
    expect(path).toEqual([
      'j b1s8',
      'ArrowDown b1s9',
      'k b1s8',
      's b1s9',
      'p b1s5',
      'n b1s7',
      'b b1s5',
      'f b1s24',
      'Home b1s1',
      'End b1s24',
    ])
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('b1s24')
    expect(await page.locator('#announce').textContent()).toBe('Step 24 of 24, work (0.2)')
    expect(await page.locator('.detail .what').textContent()).toContain('assertion counter == 2 failed')
    expect(await page.locator('.ln.failed').textContent()).toContain('assert(counter == 2)')
    expect(trouble).toEqual([])
    await page.close()
  })

  it('filters by thread and object', async () => {
    const { page } = await open(written(sampleReport()))
    const rows = () => page.evaluate(() => document.querySelectorAll('tr.run:not(.off)').length)
    await page.locator('input[name=thread]').nth(1).uncheck()
    expect(await rows()).toBe(4)
    await page.locator('select[name=object]').selectOption('other')
    expect(
      await page.evaluate(() =>
        [...document.querySelectorAll('tr.run:not(.off) li:not(.off) b')].map((b) => b.textContent),
      ),
    ).toEqual(['other', 'other', ''])
    expect(await page.locator('.shown').textContent()).toBe('3 of 24 steps shown')
    await page.close()
  })

  it('draws arrows when asked to', async () => {
    const { page } = await open(written(sampleReport()))
    expect(await page.locator('svg.arrows g').count()).toBe(0)
    await page.keyboard.press('s')
    await page.keyboard.press('a')
    await frames(page)
    expect(await page.locator('svg.arrows g').count()).toBeGreaterThan(1)
    expect(await page.locator('svg.arrows g.own.memory').count()).toBe(1)
    expect(await page.locator('.detail a').first().textContent()).toContain('step 8, work (0.1)')
    await page.close()
  })

  it('is dark where that is wished for, and prints without what only a screen can use', async () => {
    const { page } = await open(written(sampleReport()), { colorScheme: 'dark' })
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await paper()).toBe('rgb(20, 22, 26)')
    await page.emulateMedia({ media: 'print', colorScheme: 'light' })
    expect(await paper()).toBe('rgb(255, 255, 255)')
    expect(await page.locator('.beside').isVisible()).toBe(false)
    expect(await page.locator('.toolbar').isVisible()).toBe(false)
    expect(await page.locator('table.lanes').isVisible()).toBe(true)
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-')
    await page.close()
  })

  it('has no fault of accessibility, bright or dark', async () => {
    for (const colorScheme of ['light', 'dark']) {
      const { page } = await open(written(sampleReport({ output: 'hello\n' })), {
        colorScheme,
        bypassCSP: true,
      })
      expect(await accessibilityFaults(page)).toEqual([])
      await page.close()
    }
  })

  it.runIf(isFull)('takes 8 threads and 10 000 steps without a stall', async () => {
    const { page, trouble } = await open(written(sampleReport({ threads: 8, steps: 10_000, run: 20 })))
    // Measured in frames of this very browser, so that a busy machine slows both down.
    const ratio = await page.evaluate(async () => {
      const scroll = document.querySelector('.scroll')!
      const frame = () => new Promise((done) => requestAnimationFrame(done))
      const timed = async (work: () => void) => {
        const times: number[] = []
        for (let i = 0; i < 15; i++) {
          const start = performance.now()
          work()
          await frame()
          await frame()
          times.push(performance.now() - start)
        }
        return times.sort((a, b) => a - b)[7]
      }
      const idle = await timed(() => {})
      const scrolling = await timed(() => {
        scroll.scrollTop += 2500
      })
      return scrolling / idle
    })
    expect(ratio).toBeLessThan(8)
    expect(await page.locator('tr.run').count()).toBe(500)
    await page.keyboard.press('f')
    expect(await chosen(page)).toBe('b1s10000')
    await frames(page)
    const place = await page.evaluate(() => document.activeElement!.getBoundingClientRect().top)
    expect(place).toBeGreaterThan(0)
    expect(place).toBeLessThan(768)
    expect(trouble).toEqual([])
    await page.close()
  })

  it('finds what is folded away, and unfolds it', async () => {
    const { page } = await open(written(sampleReport({ steps: 60, run: 30 })))
    expect(await page.locator('li[hidden=until-found]').count()).toBe(45)
    await page.evaluate(() => {
      // As the browser does before it shows what it has found.
      document
        .querySelector('li[hidden=until-found]')!
        .dispatchEvent(new Event('beforematch', { bubbles: true }))
    })
    expect(await page.locator('li[hidden=until-found]').count()).toBe(24)
    await page.locator('button[name=unfold]').click()
    expect(await page.locator('li[hidden=until-found]').count()).toBe(0)
    await page.close()
  })

  it('is not harmed by what a program prints or is named', async () => {
    const evil = `</script><script>globalThis.harmed = 1</script><img src=x onerror="harmed=1">"'\u0000\u0007\u001b[31m\ud800\u202e`
    const output = `${evil}\n`.repeat(10_000)
    const { page, trouble } = await open(written(sampleReport({ name: evil, output })))
    expect(await page.evaluate(() => 'harmed' in globalThis)).toBe(false)
    expect(await page.locator('img').count()).toBe(0)
    const shown = (await page.locator('pre.output').textContent())!
    expect(shown).toContain('<img src=x onerror="harmed=1">')
    expect(shown).toContain('␀␇␛[31m⟨U+D800⟩⟨U+202E⟩')
    expect(shown.length).toBeLessThan(100_000)
    await page.keyboard.press('j')
    expect(await page.locator('.detail .what').textContent()).toContain('</script>')
    expect(trouble).toEqual([])
    await page.close()
  })
})

describeInBrowser('page of a passing run', (open) => {
  it('says what is known, and has no fault of accessibility', async () => {
    const { page, trouble } = await open(written(passingReport()), { bypassCSP: true })
    expect(await page.locator('h1').textContent()).toBe('Every schedule was explored; none shows a bug')
    expect(await page.locator('.guarantee li').count()).toBe(2)
    expect(await page.locator('svg.bar').getAttribute('aria-label')).toBe(
      '12 passed, 3 cut short as redundant',
    )
    expect(await accessibilityFaults(page)).toEqual([])
    expect(trouble).toEqual([])
    await page.close()
  })

  it('has pictures of the executions, and of the run over time', async () => {
    const { page } = await open(written(passingReport()), { colorScheme: 'dark', bypassCSP: true })
    expect(await page.locator('svg.tree').getAttribute('aria-label')).toBe(
      'Tree of 3 executions, 2 passed, 1 cut short as redundant',
    )
    expect(await page.locator('svg.tree g').count()).toBe(3)
    const box = (selector: string) =>
      page.evaluate((s) => {
        const { left, right, top, width } = document.querySelector(s)!.getBoundingClientRect()
        return { left, right, top, width }
      }, selector)
    const whole = await box('svg.tree')
    const branch = await box('svg.tree g:nth-of-type(2) rect')
    // It leaves the first execution after 2 of 6 steps.
    expect((branch.left - whole.left) / whole.width).toBeGreaterThan(0.3)
    expect((branch.left - whole.left) / whole.width).toBeLessThan(0.36)
    expect(await page.locator('.chart svg').getAttribute('aria-label')).toBe('15 executions after 0.08 s')
    expect(await page.locator('.timeline tbody tr').count()).toBe(2)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.close()
  })
})

describeInBrowser('page on a narrow screen', (open) => {
  it('has the rows one below the other, and nothing sticks out', async () => {
    for (const report of [sampleReport({ threads: 8 }), passingReport()]) {
      const { page } = await open(written(report), { viewport: { width: 400, height: 800 } })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400)
      const rows = await page.evaluate(() =>
        [...document.querySelectorAll('.lanes td:has(ol)')].map((cell) => ({
          width: cell.getBoundingClientRect().width,
          name: getComputedStyle(cell, '::before').content,
        })),
      )
      for (const { width, name } of rows) {
        expect(width).toBeGreaterThan(200)
        expect(name).toMatch(/^"(main|work \(0\.\d\))"$/)
      }
      await page.close()
    }
  })
})
