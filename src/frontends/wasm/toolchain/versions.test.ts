import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { toolVersions } from './versions.js'

it('the tools that programs are hashed with are those of package.json, exactly', async () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { clang, binaryen } = await toolVersions()
  expect(dependencies).toMatchObject({ '@yowasp/clang': clang, binaryen })
})
