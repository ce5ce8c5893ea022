/**
 * SV-COMP's assumptions, which programs bring themselves for the sake of tools that know nothing of them: one aborts, or
 * goes round for ever, if its condition does not hold. That is no failure: `runtime/verifier.c` has what is called instead.
 */
export const ASSUMPTIONS = ['assume_abort_if_not', '__VERIFIER_assume'] as const

/** Whether a source speaks of them; the compiler must then not put them into their callers. */
export function namesAssumptions(file: Uint8Array): boolean {
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  return ASSUMPTIONS.some((name) => text.includes(name))
}
