import { isCxx } from './compile.js'
import { EXCEPTIONS, JUMPS } from './flags.js'
import type { Unit } from './objects.js'

/**
 * Words without which a program neither throws, catches nor keeps exceptions, nor ends threads in ways that run destructors.
 * Such a program is compiled without them: what the library throws ends it in any case.
 */
const OF_EXCEPTIONS =
  /\b(?:try|throw|catch|exception_ptr|make_exception_ptr|current_exception|rethrow_exception|uncaught_exceptions?|set_terminate|terminate|future|promise|packaged_task|async|set_exception|pthread_exit|pthread_cancel|thrd_exit)\b/

const OF_JUMPS = /<(?:setjmp\.h|csetjmp)>/

/**
 * The units with flags for exceptions and long jumps. Exceptions are for all C++ of a program or for none, since they
 * pass through functions that do not mention them, and destructors have to run there; unless it is known that they are
 * needed, the text of the units says so. Jumps concern only the units that prepare or do them.
 */
export function withUnwinding(units: readonly Unit[], exceptionsAreNeeded: boolean): Unit[] {
  const decoder = new TextDecoder()
  const mentions = ({ set }: Unit, words: RegExp) =>
    set.files.some((file) => words.test(decoder.decode(file.content)))
  const throws =
    exceptionsAreNeeded ||
    units.some((unit) => mayThrow(unit) && (mentions(unit, OF_EXCEPTIONS) || mentions(unit, OF_JUMPS)))
  return units.map((unit) => {
    const jumps = mentions(unit, OF_JUMPS)
    const own = [
      ...(jumps || (throws && mayThrow(unit)) ? EXCEPTIONS : []),
      ...(jumps ? JUMPS : []),
      ...(isCxxUnit(unit) && !(throws && mayThrow(unit)) ? [WITHOUT] : []),
    ]
    return { ...unit, flags: [...own, ...unit.flags.filter((flag) => flag !== WITH && flag !== WITHOUT)] }
  })
}

const WITH = '-fexceptions'
const WITHOUT = '-fno-exceptions'

function isCxxUnit({ set }: Unit): boolean {
  return set.units.some((source) => isCxx(source.path))
}

/** Whether it is C++ and its user has not switched exceptions off; what comes last counts. */
function mayThrow(unit: Unit): boolean {
  return isCxxUnit(unit) && unit.flags.lastIndexOf(WITHOUT) <= unit.flags.lastIndexOf(WITH)
}
