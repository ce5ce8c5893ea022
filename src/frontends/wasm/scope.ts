import { type Artifact, WORD_SIZE } from './artifact.js'

/** What a guarantee has to say about how operations of this program are carried out, where a platform may do otherwise. */
export function operationScope({ sites }: Pick<Artifact, 'sites'>): string[] {
  const calls = (pattern: RegExp) => sites.some(({ callee }) => callee !== undefined && pattern.test(callee))
  const isWord = sites.some(({ kind, size }) => size === WORD_SIZE && (kind === 'load' || kind === 'store'))
  return [
    ...(isWord || calls(/mem(?:cpy|move)$/)
      ? [`accesses of ${WORD_SIZE} bytes in one step (a structure of two numbers is copied so)`]
      : []),
  ]
}
