import { existsSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const tests = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)

/** The rule is in CONTRIBUTING.md. */
test('a test in src lies beside the file it tests, and has its name', () => {
  const lost = tests('src').filter((name) => !existsSync(name.replace(/\.test\.ts$/, '.ts')))
  expect(lost).toEqual([])
})

test('a test in tests lies in the folder of its subject', () => {
  expect(tests('tests').filter((name) => !/^tests\/[^/]+\/[^/]+$/.test(name))).toEqual([])
})

test('every folder of src says in a few lines what it is for', () => {
  const folders = readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
  expect(folders.length).toBeGreaterThan(20)
  expect(folders.filter((folder) => !existsSync(`${folder}/README.md`))).toEqual([])
})
