import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { describeApi } from './describe-api.js'
import { differences, type Schema } from './schema-against-type.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const [index, reports] = ['src/index.ts', 'src/reports/write/json.ts'].map((file) => join(root, file))

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
  ts.sys,
  root,
)
const program = ts.createProgram([index, reports], options)

/** `npx vitest run tests/api -u` accepts a change; the changelog says what it means for users of the library. */
test('the library exports what it did', async () => {
  await expect(describeApi(program, index)).toMatchFileSnapshot('public-api.txt')
})

test('the schema of reports describes the type of reports', () => {
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(program.getSourceFile(reports)!)!
  const report = checker.getExportsOfModule(module).find((symbol) => symbol.name === 'JsonReport')!
  const schema = JSON.parse(readFileSync(join(root, 'docs/report.schema.json'), 'utf8')) as Schema
  expect(differences(checker, checker.getDeclaredTypeOfSymbol(report), schema)).toEqual([])
})
