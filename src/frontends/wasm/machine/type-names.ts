/** Names of types as C++ compilers write them, for those that are thrown; any other comes out as it went in. */
export function typeName(mangled: string): string {
  const parser = new Parser(mangled)
  const name = parser.type()
  return name !== undefined && parser.isAtEnd ? name : mangled
}

const plain: Readonly<Record<string, string>> = {
  a: 'signed char',
  b: 'bool',
  c: 'char',
  d: 'double',
  e: 'long double',
  f: 'float',
  h: 'unsigned char',
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  s: 'short',
  t: 'unsigned short',
  w: 'wchar_t',
  x: 'long long',
  y: 'unsigned long long',
  Dn: 'std::nullptr_t',
}

const STRING = 'NSt3__212basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE'

class Parser {
  private at = 0

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at === this.text.length
  }

  type(): string | undefined {
    if (this.takes(STRING)) return 'std::string'
    if (this.takes('P')) return after(this.type(), ' *')
    if (this.takes('K')) return before('const ', this.type())
    if (this.takes('N')) return this.nested()
    if (this.takes('St')) return before('std::', this.name())
    for (const [code, name] of Object.entries(plain)) if (this.takes(code)) return name
    return this.name()
  }

  private nested(): string | undefined {
    const parts: string[] = []
    while (!this.takes('E')) {
      const part = this.takes('St') ? 'std' : this.name()
      if (part === undefined) return undefined
      // Which version of the library it is.
      if (part !== '__2') parts.push(part)
    }
    return parts.join('::').replaceAll('_GLOBAL__N_1', '(anonymous namespace)')
  }

  /** Its length, and it. */
  private name(): string | undefined {
    const [digits] = /^\d+/.exec(this.text.slice(this.at)) ?? []
    if (digits === undefined) return undefined
    const start = this.at + digits.length
    const end = start + Number(digits)
    if (end > this.text.length) return undefined
    this.at = end
    return this.text.slice(start, end)
  }

  private takes(what: string): boolean {
    if (!this.text.startsWith(what, this.at)) return false
    this.at += what.length
    return true
  }
}

const before = (what: string, name: string | undefined) => (name === undefined ? undefined : what + name)
const after = (name: string | undefined, what: string) => (name === undefined ? undefined : name + what)
