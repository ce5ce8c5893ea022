/** Amounts of memory, for people. */

export function bytes(n: number): string {
  return n === 1 ? '1 byte' : `${n} bytes`
}

export function megabytes(n: number): string {
  return `${Math.round(n / 2 ** 20)} MB`
}
