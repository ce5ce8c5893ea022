const unitBytes: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }

/** Reads `64M` as bytes; throws a RangeError that says what would be right. */
export function parseSize(text: string): number {
  const [, digits, unit] = /^(\d+)([KMG]?)B?$/i.exec(text) ?? []
  const bytes = Number(digits) * unitBytes[unit?.toUpperCase()]
  if (!(bytes >= 1 && bytes <= Number.MAX_SAFE_INTEGER)) {
    throw new RangeError('Write a size such as 64M, 512K or 2G.')
  }
  return bytes
}
