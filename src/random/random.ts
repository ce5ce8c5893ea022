/**
 * The only source of randomness: xoshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number generators",
 * ACM TOMS 2021, doi:10.1145/3460772), seeded through splitmix32 so that near seeds give unrelated streams.
 */
export class Random {
  private readonly s = new Uint32Array(4)

  constructor(seed: number) {
    let x = seed | 0
    for (let i = 0; i < 4; i++) {
      x = (x + 0x9e3779b9) | 0
      let z = x
      z = Math.imul(z ^ (z >>> 16), 0x21f0aaad)
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97)
      this.s[i] = z ^ (z >>> 15)
    }
    if ((this.s[0] | this.s[1] | this.s[2] | this.s[3]) === 0) this.s[0] = 1
  }

  /** Uniform over the 32-bit unsigned integers. */
  next(): number {
    const s = this.s
    const r = Math.imul(s[1], 5)
    const result = Math.imul((r << 7) | (r >>> 25), 9) >>> 0
    const t = s[1] << 9
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = (s[3] << 11) | (s[3] >>> 21)
    return result
  }

  /** Uniform over 0 … n-1, without bias: the short last stretch of the range is drawn again. */
  below(n: number): number {
    if (n <= 1) return 0
    const limit = 0x1_0000_0000 - (0x1_0000_0000 % n)
    let x = this.next()
    while (x >= limit) x = this.next()
    return x % n
  }

  save(): number[] {
    return [...this.s]
  }

  static load(state: readonly number[]): Random {
    const random = new Random(0)
    random.s.set(state)
    return random
  }
}
