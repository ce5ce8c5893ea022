import { expect, it } from 'vitest'
import { EventLog } from '../../../machine/events.js'
import { Mode, Op } from '../../../machine/operation.js'
import { RecallTails } from './recall-tails.js'
import { NONE, RecallTree } from './recall-tree.js'

const cell = 3
const other = 5

/** Main joins thread 1, reads a cell, writes it, reads it again, and the program ends. */
function joiner(names = { next: 0 }) {
  const tree = new RecallTree()
  const log = new EventLog()
  const nodes = [Op.join, Op.load, Op.store, Op.load, Op.processExit, Op.processExit].map((kind) =>
    tree.node(kind, -1, -1, 1, 0, 0, 0),
  )
  const edge = (i: number, kind: number, mode: number) => {
    const start = log.count
    log.push(kind, mode, mode === Mode.none ? -1 : cell, -1, -1)
    return tree.edge(nodes[i], 0, nodes[i + 1], log, start)
  }
  tree.addCondition(~1, 7, true)
  const edges = [edge(0, Op.join, Mode.none)]
  tree.addCondition(cell, 10, true)
  edges.push(edge(1, Op.load, Mode.read))
  tree.addCondition(cell, 10, false)
  tree.addChange(cell, 11)
  edges.push(edge(2, Op.store, Mode.write))
  tree.addCondition(cell, 11, true)
  edges.push(edge(3, Op.load, Mode.read), edge(4, Op.processExit, Mode.none))
  // Where threads 0 and 1 are: main before its join, the other one at a node of its own that tells its result.
  const ended = tree.node(Op.exit, -1, -1, 2, 0, 0, 7)
  const nodeOf = Int32Array.from([nodes[0], ended])
  const tails = new RecallTails(tree, names)
  const keep = () => {
    expect(tails.begin(nodes[0])).toBe(true)
    for (const known of edges) tails.add(known)
    tails.end(nodes[5], nodes[0])
  }
  return { tree, tails, keep, nodes, nodeOf, ended }
}

it('a tail is done again where all it found is as it was', () => {
  const { tails, keep, nodes, nodeOf } = joiner()
  const state = new Int32Array(8)
  state[cell] = 10
  expect(tails.find(nodes[0], state, nodeOf)).toBe(NONE)
  keep()
  const tail = tails.find(nodes[0], state, nodeOf)
  expect(tails.stepsOf(tail)).toBe(5)
  expect([...tails.eventEnd.slice(tails.stepStart(tail), tails.stepStart(tail) + 5)]).toEqual([1, 2, 3, 4, 5])
  expect(tails.eventsEnd(tail) - tails.eventStart(tail)).toBe(5)
  expect(tails.lastNode(tail)).toBe(nodes[5])
  state[other] = 99
  expect(tails.find(nodes[0], state, nodeOf)).toBe(tail)
})

it('it is not where anything differs that it found before it changed it itself', () => {
  const { tree, tails, keep, nodes, nodeOf, ended } = joiner()
  const state = new Int32Array(8)
  state[cell] = 10
  keep()
  state[cell] = 11
  expect(tails.find(nodes[0], state, nodeOf)).toBe(NONE)
  state[cell] = 10
  tree.result[ended] = 8
  expect(tails.find(nodes[0], state, nodeOf)).toBe(NONE)
  tree.result[ended] = 7
  expect(tails.find(nodes[0], state, nodeOf)).not.toBe(NONE)
})

it('what was begun and not ended leaves nothing behind', () => {
  const { tails, keep, nodes, nodeOf } = joiner()
  const state = new Int32Array(8)
  state[cell] = 10
  expect(tails.begin(nodes[1])).toBe(true)
  tails.add(1)
  keep()
  const tail = tails.find(nodes[0], state, nodeOf)
  expect(tails.stepsOf(tail)).toBe(5)
  expect(tails.eventStart(tail)).toBe(0)
  expect(tails.find(nodes[1], state, nodeOf)).toBe(NONE)
})

it('no two have the same name, whatever was forgotten and whatever points they were kept under', () => {
  const names = { next: 0 }
  const all = [joiner(names), joiner(names)]
  const found = [0, 1, 0, 1, 1].map((which) => {
    const { tails, keep, nodes, nodeOf } = all[which]
    tails.clear()
    keep()
    const state = new Int32Array(8)
    state[cell] = 10
    return tails.nameOf(tails.find(nodes[0], state, nodeOf))
  })
  expect(new Set(found).size).toBe(found.length)
})
