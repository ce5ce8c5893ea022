import { writeValue } from '../frontends/input-values.js'
import type { Input, InputControl, InputPart } from '../symbolic/input-control.js'

/** The input as it is written on the command line. */
export function writtenInput({ parts }: InputControl, input: Input): Record<string, string> {
  return Object.fromEntries(
    [...parts.values()].map(({ name, initial }) => {
      const bytes = input.get(name) ?? initial
      const isText = name === 'stdin' || /^arg\d+$/.test(name)
      const end = bytes.indexOf(0)
      const cut = name !== 'stdin' && isText && end >= 0 ? bytes.subarray(0, end) : bytes
      return [name, writeValue(cut, isText)]
    }),
  )
}

/** What a part may be, for guarantees. */
export function describedPart({ name, initial }: InputPart): string {
  if (name === 'stdin') return `stdin (${initial.length} bytes)`
  return /^arg\d+$/.test(name) ? `${name} (ASCII text of up to ${initial.length} characters)` : name
}
