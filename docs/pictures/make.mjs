// Makes the pictures of the documents: node docs/pictures/make.mjs, after a build. Takes the programs of README and tutorial,
// writes their pages and photographs them with the Chromium at hand; CHROMIUM names another.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { main } from '../../dist/cli/main.js'

const here = fileURLToPath(new URL('.', import.meta.url))
const tutorial = readFileSync(`${here}../tutorial.md`, 'utf8')
const program = /`queue\.c`:\n\n```c\n([\s\S]*?)```/.exec(tutorial)[1]
const counter = /`counter\.c`:\n\n```c\n([\s\S]*?)```/.exec(readFileSync(`${here}../../README.md`, 'utf8'))[1]
const [, before, after] = /```diff\n-(.*)\n\+(.*)\n```/.exec(tutorial)

const directory = mkdtempSync(join(tmpdir(), 'faultline-pictures-'))
const io = {
  out() {},
  err() {},
  width: 100,
  colour: false,
  isLive: false,
  directory,
  command: 'faultline',
  async *readLines() {},
  onInterrupt: () => () => {},
}

async function page(file, text, name) {
  writeFileSync(join(directory, file), text)
  await main(['check', file, '--report', name], io)
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
})

/** Photographs a page, or the part of it that a selector names, from its top down to a height. */
async function photograph(file, picture, { selector = 'body', height, keys = [] }) {
  const tab = await browser.newPage({ viewport: { width: 1240, height: 1000 }, colorScheme: 'light' })
  await tab.goto(`file://${join(directory, file)}`)
  for (const key of keys) await tab.keyboard.press(key)
  await tab.waitForTimeout(300)
  await tab.evaluate(() => scrollTo(0, 0))
  const box = await tab.locator(selector).first().boundingBox()
  const clip = { ...box, height: Math.min(box.height, height ?? Infinity) }
  await tab.screenshot({ path: `${here}${picture}.png`, clip, fullPage: true })
  await tab.close()
}

await page('counter.c', counter, 'counter.html')
await page('queue.c', program, 'bug.html')
await page('queue.c', program.replace(before, after), 'verified.html')
await photograph('counter.html', 'interleaving', { selector: '#steps1', keys: ['n'] })
await photograph('bug.html', 'bug', { height: 900, keys: ['n', 'n'] })
await photograph('bug.html', 'twin', { selector: 'section.twin' })
await photograph('verified.html', 'verified', { height: 1000 })
await browser.close()
rmSync(directory, { recursive: true })
