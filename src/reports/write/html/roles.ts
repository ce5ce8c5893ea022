import type { ExplainedStep } from '../../../files/explanation.js'
import type { BugReport } from '../../report.js'

/** Which steps the explanation names, and as what. */
export function rolesOf({ walk, explanation }: BugReport): Map<number, ExplainedStep['role']> {
  const stepOf = new Map(walk.steps.flatMap(({ event }, i) => (event === null ? [] : [[event, i]])))
  const roles = new Map<number, ExplainedStep['role']>()
  for (const { step, role } of explanation.steps) {
    const at = step === null ? undefined : stepOf.get(step)
    if (at !== undefined) roles.set(at, role)
  }
  return roles
}
