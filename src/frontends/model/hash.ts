import { hashName } from '../../machine/names.js'

/** Hash of plain data; functions in it do not count. */
export function hashOf(data: unknown): string {
  const text = JSON.stringify(data)
  return [text, `again ${text}`].map((t) => (hashName(t) >>> 0).toString(16).padStart(8, '0')).join('')
}
