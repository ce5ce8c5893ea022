import { readFileSync } from 'node:fs'

/** Version of the tool, as in package.json: recorded in every file written. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version
