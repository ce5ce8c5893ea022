import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'

type Schema = { [key: string]: unknown }

const path = fileURLToPath(new URL('../../docs/report.schema.json', import.meta.url))
const schema = JSON.parse(readFileSync(path, 'utf8')) as Schema

/** The schema with no other fields allowed than those it describes: what is printed must be documented. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, part]) => [key, closed(part)])
  const copy = Object.fromEntries(entries)
  return copy.type === 'object' && copy.properties ? { ...copy, additionalProperties: false } : copy
}

/** What is wrong with a document, as text; '' if nothing is. `part` is a definition of the schema, or the whole. */
export function schemaErrors(document: unknown, part?: string): string {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
  const whole = { ...(closed(schema) as Schema), $id: 'report' }
  ajv.addSchema(whole)
  const validate = ajv.getSchema(part === undefined ? 'report' : `report#/$defs/${part}`)!
  validate(document)
  return (validate.errors ?? [])
    .map((e) => `${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`)
    .join('\n')
}
