import { Random } from '../../src/random/random.js'

/** One C file with several programs over an input of one byte; the number of arguments says which is run. */
export function randomPrograms(seed: number, count: number): string {
  const random = new Random(seed)
  const programs = Array.from({ length: count }, (_, i) => new Program(random, i).text)
  return `${head}${programs.join('\n')}
int main(int argc, char **argv) {
  static void (*const cases[])(void) = {${programs.map((_, i) => `program${i}`).join(', ')}};
  faultline_symbolic(&x, sizeof x, "x");
  cases[argc - 1]();
  return 0;
}
`
}

const head = `#include <assert.h>
#include <faultline.h>
#include <pthread.h>
#include <stdio.h>

static unsigned char x = 1;
static int g0, g1, g2, table[8];
static _Atomic int a0;
static const int constants[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
`

/** Where a statement stands: who else runs, and whether it may look at the input. */
interface Place {
  readonly isAlone: boolean
  readonly seesInput: boolean
}

class Program {
  readonly text: string
  /** Loops in each other need counters of their own. */
  private loops = 0

  constructor(
    private readonly random: Random,
    number: number,
  ) {
    // Mostly one looks at the input, else what is decided has no order and nothing is claimed.
    const who = random.below(4)
    const body = (place: Place, most: number) =>
      Array.from({ length: 1 + random.below(most) }, () => this.statement(place, 2)).join('\n  ')
    const before = body({ isAlone: true, seesInput: who !== 1 }, 3)
    const first = body({ isAlone: false, seesInput: who === 1 || who === 3 }, 2)
    const second = body({ isAlone: false, seesInput: who === 3 && random.below(2) === 0 }, 2)
    const after = body({ isAlone: true, seesInput: true }, 2)
    const [value, limit] = [this.pick(['g0', 'g1', 'g2', 'a0', 'table[3]']), random.below(12)]
    this.text = `
static void *first${number}(void *unused) {
  ${first}
  return unused;
}
static void *second${number}(void *unused) {
  ${second}
  return unused;
}
static void program${number}(void) {
  ${before}
  pthread_t a, b;
  pthread_create(&a, 0, first${number}, 0);
  pthread_create(&b, 0, second${number}, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  ${after}
  assert(${value} ${this.pick(['!=', '<=', '>=', '!='])} ${limit});
}
`
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.random.below(list.length)]
  }

  private statement(place: Place, depth: number): string {
    const { random } = this
    const expression = () => this.expression(place, 2)
    const inner = () => this.statement(place, depth - 1)
    const variable = this.pick(['g0', 'g1', 'g2'])
    switch (random.below(depth > 0 ? 14 : 8)) {
      case 0:
      case 1:
        return `${variable} = ${expression()};`
      case 2:
        return `${variable} = constants[(${expression()}) & 15];`
      case 3:
        return `table[(${expression()}) & 7] ${this.pick(['=', '+=', '^='])} ${expression()};`
      case 4:
        return `${variable} += table[(${expression()}) & ${this.pick([3, 7])}];`
      case 5:
        return this.pick([
          `a0 += ${expression()};`,
          `${variable} = a0;`,
          `__c11_atomic_fetch_or(&a0, ${expression()}, 5);`,
          `{ int seen = ${expression()}; ${variable} = __c11_atomic_compare_exchange_strong(&a0, &seen, ${expression()}, 5, 5); }`,
        ])
      case 6:
        return `{ int own[4] = {${random.below(9)}, ${expression()}, 2, ${random.below(9)}}; own[(${expression()}) & 3] = ${expression()}; ${variable} = own[(${expression()}) & 3]; }`
      case 7:
        if (!place.isAlone) return `${variable}++;`
        return `{ char text[8] = "abcdefg"; fwrite(text, 1, (${expression()}) & 7, stdout); }`
      case 8:
      case 9:
        return `if (${this.condition(place)}) { ${inner()} } else { ${inner()} }`
      case 10:
        return `if (${this.condition(place)}) { ${inner()} }`
      case 11: {
        const count = 4 + random.below(3)
        const cases = Array.from({ length: count }, (_, i) => `case ${i}: ${this.statement(place, 0)} break;`)
        return `switch (${expression()}) { ${cases.join(' ')} default: ${this.statement(place, 0)} }`
      }
      case 12: {
        const counter = `i${this.loops++}`
        return `for (int ${counter} = 0; ${counter} < ((${expression()}) & 3); ${counter}++) { ${inner()} }`
      }
      default:
        return place.isAlone ? inner() : `pthread_mutex_lock(&lock); ${inner()} pthread_mutex_unlock(&lock);`
    }
  }

  private condition(place: Place): string {
    const operator = this.pick(['==', '<', '>', '!=', '<='])
    return `${this.expression(place, 1)} ${operator} ${this.random.below(3) === 0 ? this.expression(place, 1) : this.random.below(12)}`
  }

  private expression(place: Place, depth: number): string {
    const { random } = this
    if (depth === 0 || random.below(3) === 0) {
      const leaves = ['g0', 'g1', 'g2', String(random.below(16)), ...(place.seesInput ? ['x', 'x'] : [])]
      return this.pick(leaves)
    }
    const [a, b] = [this.expression(place, depth - 1), this.expression(place, depth - 1)]
    switch (random.below(8)) {
      case 0:
        return `(${a} * ${b})`
      case 1:
        return `(${a} / (${b} | 1))`
      case 2:
        return `((unsigned)(${a}) >> ((${b}) & 7))`
      case 3:
        return `(${this.condition(place)} ? ${a} : ${b})`
      default:
        return `(${a} ${this.pick(['+', '-', '&', '|', '^'])} ${b})`
    }
  }
}
