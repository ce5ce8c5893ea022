/** Exact fractions and polynomials of one variable with such coefficients. */

export interface Rational {
  readonly over: bigint
  readonly under: bigint
}

export function rational(over: bigint | number, under: bigint | number = 1): Rational {
  return reduce(BigInt(over), BigInt(under))
}

function reduce(over: bigint, under: bigint): Rational {
  let [a, b] = [over < 0n ? -over : over, under]
  while (b !== 0n) [a, b] = [b, a % b]
  return a === 0n ? { over: 0n, under: 1n } : { over: over / a, under: under / a }
}

export const zero = rational(0)
export const one = rational(1)

export const add = (a: Rational, b: Rational) =>
  reduce(a.over * b.under + b.over * a.under, a.under * b.under)
export const times = (a: Rational, b: Rational) => reduce(a.over * b.over, a.under * b.under)
export const negative = (a: Rational): Rational => ({ over: -a.over, under: a.under })
export const isZero = (a: Rational) => a.over === 0n
export const isLess = (a: Rational, b: Rational) => a.over * b.under < b.over * a.under
export const text = (a: Rational) => `${a.over}/${a.under}`
export const toNumber = (a: Rational) => Number(a.over) / Number(a.under)

/** Coefficients from the constant on. */
export type Polynomial = readonly Rational[]

export const constant = (c: Rational): Polynomial => [c]

/** Over 0 to 1. */
export function integral(p: Polynomial): Rational {
  return p.reduce((sum, c, i) => add(sum, times(c, rational(1, i + 1))), zero)
}

/** The integral from x to 1, as a polynomial in x. */
export function above(p: Polynomial): Polynomial {
  return [integral(p), ...p.map((c, i) => negative(times(c, rational(1, i + 1))))]
}

/** p(x) · (1 - x) */
export function timesRest(p: Polynomial): Polynomial {
  return [...p, zero].map((c, i) => add(c, i === 0 ? zero : negative(p[i - 1])))
}
