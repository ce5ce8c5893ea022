import { ProgramError } from './program.js'

/** The bodies that run from the beginning, if there are such. */
export function checkRoots(roots: readonly string[], bodies: readonly string[]): readonly string[] {
  if (!Array.isArray(roots)) throw new ProgramError('roots', 'must be a list of thread names')
  for (const root of roots) {
    if (!bodies.includes(root)) {
      throw new ProgramError('roots', `no thread ${JSON.stringify(root)}; threads are ${bodies.join(', ')}`)
    }
  }
  if (roots.length === 0) {
    throw new ProgramError(
      'roots',
      'no thread runs from the beginning; name at least one that nobody creates',
    )
  }
  return roots
}
