import { expect, it } from 'vitest'
import { ObjectStates } from './object-states.js'
import type { ProgramKernel } from './program-kernel.js'
import { UNTOUCHED } from './recall-tree.js'

it('of any location it is known at once that nothing was written there', () => {
  const objects = new ObjectStates({} as ProgramKernel)
  for (const location of [0, 31, 32, 63, 64, 1000]) {
    expect(objects.stateOf(location), String(location)).toBe(UNTOUCHED)
    expect(objects.holds(location, 7), String(location)).toBe(true)
  }
})
