import { withoutComments } from './parse.js'

/** What a call of a function needs to know; everything that assembly passes is a word. */
export interface Prototype {
  readonly parameters: number
  readonly isVariadic: boolean
  readonly returns: boolean
  /** Only its own file can name it. */
  readonly isStatic: boolean
}

const keywords = new Set(['if', 'while', 'for', 'switch', 'return', 'sizeof', 'else', 'do', 'case'])
const declaration =
  /(?:^|[;}\n])\s*((?:[A-Za-z_][\w]*[\s*]+)+)([A-Za-z_]\w*)\s*\(((?:[^(){};]|\([^(){};]*\))*)\)\s*(?:[A-Z_]+\s*|__attribute__\s*\(\(.*?\)\)\s*)?([;{])/g

/** The functions that some files declare or define, by name. */
export function prototypesIn(texts: readonly string[]): Map<string, Prototype> {
  const found = new Map<string, Prototype>()
  for (const text of texts) {
    const plain = withoutComments(text).replace(/^\s*#.*(?:\\\n.*)*/gm, '')
    declaration.lastIndex = 0
    for (let match = declaration.exec(plain); match !== null; match = declaration.exec(plain)) {
      const [, before, name, list] = match
      // Where one ends, the next may begin.
      declaration.lastIndex--
      const words = before.trim().split(/[\s*]+/)
      if (keywords.has(name) || words.some((word) => keywords.has(word) || word === 'typedef')) continue
      const parameters = parametersOf(list)
      const known = found.get(name)
      // `f()` says nothing about parameters.
      if (known !== undefined && known.parameters >= parameters) continue
      found.set(name, {
        parameters,
        isVariadic: list.includes('...'),
        returns: before.includes('*') || !words.includes('void'),
        isStatic: words.includes('static'),
      })
    }
  }
  return found
}

function parametersOf(list: string): number {
  const text = list.replace(/\([^()]*\)/g, '').trim()
  if (text === '' || text === 'void') return 0
  return text.split(',').filter((part) => part.trim() !== '...').length
}

/** Functions whose names are used otherwise than to call or to declare them: somebody may have their address. */
export function addressesIn(texts: readonly string[], names: Iterable<string>): string[] {
  const used = new Set<string>()
  for (const text of texts)
    for (const [, name] of withoutComments(text).matchAll(/\b([A-Za-z_]\w*)\b(?!\s*\()/g)) used.add(name)
  return [...names].filter((name) => used.has(name))
}
