import { writeValue } from '../frontends/input-values.js'
import type { Input, InputControl, InputPart } from '../symbolic/input-control.js'
import { outsideOf } from '../symbolic/input-names.js'

/** The input as it is written on the command line. */
export function writtenInput({ parts }: InputControl, input: Input): Record<string, string> {
  return Object.fromEntries(
    [...parts.values()].map(({ name, initial }) => {
      const bytes = input.get(name) ?? initial
      const outside = outsideOf(name)
      const end = bytes.indexOf(0)
      const isCut = outside !== undefined && outside.kind !== 'stdin' && end >= 0
      return [name, writeValue(isCut ? bytes.subarray(0, end) : bytes, outside !== undefined)]
    }),
  )
}

/** What a part may be, for guarantees. */
export function describedPart({ name, initial }: InputPart): string {
  const outside = outsideOf(name)
  if (outside === undefined) return name
  if (outside.kind === 'stdin') return `${name} (${initial.length} bytes)`
  return `${name} (ASCII text of up to ${initial.length} characters)`
}
