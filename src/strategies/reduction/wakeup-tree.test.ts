import { describe, expect, it } from 'vitest'
import { LocationTable } from '../../machine/names.js'
import { Footprints, NO_FOOTPRINT } from './footprints.js'
import { NIL, WakeupTrees } from './wakeup-tree.js'

const same = (index: number) => index

function emptyTrees() {
  return new WakeupTrees(new Footprints(new LocationTable()))
}

function loaded(saved: ReturnType<WakeupTrees['save']>) {
  const trees = emptyTrees()
  trees.load(JSON.parse(JSON.stringify(saved)), same, same)
  return trees
}

it('tells whether some depths hold more than so many nodes', () => {
  const trees = emptyTrees()
  for (const depth of [0, 1, 2]) trees.clear(depth)
  const a = trees.append(0, NIL, 1, 0, 1, NO_FOOTPRINT)
  trees.append(0, a, 2, 0, 1, NO_FOOTPRINT)
  trees.append(0, NIL, 3, 0, 1, NO_FOOTPRINT)
  trees.append(2, NIL, 4, 0, 1, NO_FOOTPRINT)
  expect(trees.holdsMoreThan(3, 0, 3)).toBe(true)
  expect(trees.holdsMoreThan(4, 0, 3)).toBe(false)
  expect(trees.holdsMoreThan(2, 0, 2)).toBe(true)
  expect(trees.holdsMoreThan(3, 0, 2)).toBe(false)
  expect(trees.holdsMoreThan(0, 1, 2)).toBe(false)
})

describe('saved wakeup trees', () => {
  it('keep their shape and order', () => {
    const trees = emptyTrees()
    trees.clear(2)
    const a = trees.append(0, NIL, 1, 0, 1, NO_FOOTPRINT)
    trees.append(0, a, 2, 0, 1, NO_FOOTPRINT)
    const below = trees.append(0, a, 3, 1, 2, NO_FOOTPRINT)
    trees.append(0, below, 4, 0, 1, NO_FOOTPRINT)
    trees.append(0, NIL, 5, 0, 1, NO_FOOTPRINT)
    trees.append(2, NIL, 6, 0, 1, NO_FOOTPRINT)
    const saved = trees.save(3)
    const again = loaded(saved)
    expect(again.save(3)).toEqual(saved)
    expect(again.size).toBe(6)
    const first = again.first(0)
    expect(again.thread[first]).toBe(1)
    expect(again.thread[again.nextSibling[first]]).toBe(5)
    const second = again.nextSibling[again.firstChild[first]]
    expect([again.thread[second], again.value[second], again.arity[second]]).toEqual([3, 1, 2])
    expect(again.thread[again.firstChild[second]]).toBe(4)
    expect(again.first(1)).toBe(NIL)
    expect(again.thread[again.first(2)]).toBe(6)
  })

  it('may be as high as an execution is long', () => {
    const trees = emptyTrees()
    const height = 200_000
    let node = NIL
    for (let i = 0; i < height; i++) node = trees.append(0, node, i & 1, 0, 1, NO_FOOTPRINT)
    const again = loaded(trees.save(1))
    let found = 0
    for (let n = again.first(0); n !== NIL; n = again.firstChild[n]) found++
    expect(found).toBe(height)
  })
})
