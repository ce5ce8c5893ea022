import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'

/** Where browsers are looked for; `CHROMIUM` names another. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** What the tests use of playwright's pages. */
export interface Page {
  goto(url: string): Promise<unknown>
  evaluate<T, A = undefined>(run: (argument: A) => T | Promise<T>, argument?: A): Promise<T>
  addScriptTag(script: { content: string }): Promise<unknown>
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void
  on(event: 'pageerror', listener: (error: Error) => void): void
  on(event: 'request', listener: (request: { url(): string }) => void): void
  locator(selector: string): Locator
  readonly keyboard: { press(key: string): Promise<void> }
  emulateMedia(media: { media?: 'print' | 'screen'; colorScheme?: 'dark' | 'light' }): Promise<void>
  pdf(): Promise<Buffer>
  close(): Promise<void>
}

export interface Locator {
  count(): Promise<number>
  first(): Locator
  nth(n: number): Locator
  click(): Promise<void>
  focus(): Promise<void>
  check(): Promise<void>
  uncheck(): Promise<void>
  selectOption(value: string): Promise<unknown>
  textContent(): Promise<string | null>
  getAttribute(name: string): Promise<string | null>
  isVisible(): Promise<boolean>
}

interface Browser {
  newPage(options: object): Promise<Page>
  close(): Promise<void>
}

interface Playwright {
  chromium: { launch(options: object): Promise<Browser> }
}

const executablePath = (process.env.CHROMIUM ? [process.env.CHROMIUM] : places).find((path) =>
  existsSync(path),
)
const require = createRequire(import.meta.url)

/** Why there is no browser to test with, or undefined. */
function whatIsMissing(): string | undefined {
  if (executablePath === undefined)
    return 'no Chromium where one was looked for; the variable CHROMIUM may name one'
  try {
    require.resolve('playwright-core')
    return undefined
  } catch {
    return 'playwright-core is not installed; npm ci does'
  }
}

/** The text of axe, which finds faults of accessibility. */
export const axePath = () => require.resolve('axe-core/axe.min.js')

/** Tests in a real browser. Skipped, with the reason, where there is none; `NEEDS_ALL_TOOLS` makes that a failure. */
export function describeInBrowser(title: string, tests: (open: OpenPage) => void): void {
  const missing = whatIsMissing()
  if (missing !== undefined && process.env.NEEDS_ALL_TOOLS) throw new Error(`${title}: ${missing}`)
  describe(title, () => {
    let browser: Browser
    beforeEach(({ skip }) => skip(missing !== undefined, missing))
    beforeAll(async () => {
      if (missing !== undefined) return
      const { chromium } = require('playwright-core') as Playwright
      browser = await chromium.launch({ executablePath, args: flags })
    })
    afterAll(() => browser?.close())
    tests(async (path, options = {}) => {
      const page = await browser.newPage({ viewport: { width: 1366, height: 768 }, ...options })
      const trouble: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text())
      })
      page.on('pageerror', (error) => trouble.push(error.message))
      page.on('request', (request) => {
        if (request.url() !== `file://${path}`) trouble.push(`request of ${request.url()}`)
      })
      await page.goto(`file://${path}`)
      return { page, trouble }
    })
  })
}

/** Opens a file. `trouble` is what the page complained of, and what it asked for beside itself. */
type OpenPage = (path: string, options?: object) => Promise<{ page: Page; trouble: string[] }>
