import type { Value } from '../../../../memory/graph.js'
import type { Trail } from '../../../../memory/trail.js'
import type { ProgramMemory } from '../program.js'

const GRANULE = 8

/** Bytes that are accessed as one. */
export interface Cell {
  readonly start: number
  readonly size: number
  /** As a location of the execution graph, in this life. */
  readonly location: number
}

/** Locations of the graph beyond the first life of a place in memory: that of the place, and so many for each life. */
const LIFE = 1 << 22

/** What a location of the graph is in another process, whose places have other numbers. */
export function cellLocation(location: number, placeThere: (place: number) => number): number {
  return placeThere(location % LIFE) + (location - (location % LIFE))
}

/** Cells by address. No two of them overlap. A cell that is removed and added again is another location. */
export class Cells {
  private readonly byGranule = new Map<number, readonly Cell[]>()
  private readonly byLocation = new Map<number, Cell>()
  /** By location of the machine: the cell that it is now, and how many it has been. */
  private readonly byPlace = new Map<number, Cell>()
  private readonly lives = new Map<number, number>()

  constructor(private readonly trail: Trail) {}

  reset(): void {
    this.byGranule.clear()
    this.byLocation.clear()
    this.byPlace.clear()
    this.lives.clear()
  }

  at(location: number): Cell | undefined {
    return this.byLocation.get(location)
  }

  /** The cell at a location of the machine. */
  of(place: number): Cell | undefined {
    const cell = this.byPlace.get(place)
    return cell !== undefined && this.byLocation.get(cell.location) === cell ? cell : undefined
  }

  overlapping(start: number, size: number): readonly Cell[] {
    const first = Math.floor(start / GRANULE)
    const last = Math.floor((start + size - 1) / GRANULE)
    if (first === last) {
      const cells = this.byGranule.get(first) ?? []
      const isOne = cells.length === 1 && cells[0].start === start && cells[0].size === size
      return isOne ? cells : cells.filter((cell) => shares(cell, start, size))
    }
    const found: Cell[] = []
    for (let granule = first; granule <= last; granule++) {
      for (const cell of this.byGranule.get(granule) ?? []) if (shares(cell, start, size)) found.push(cell)
    }
    return found
  }

  /** Cells are aligned, so each lies in one granule. `place` is the location of the machine. */
  add(start: number, size: number, place: number): Cell {
    const { trail, lives, byGranule, byLocation, byPlace } = this
    const life = (lives.get(place) ?? 0) + 1
    const cell = { start, size, location: place + (life - 1) * LIFE }
    const granule = Math.floor(start / GRANULE)
    trail.key(lives, place)
    trail.key(byGranule, granule)
    trail.key(byLocation, cell.location)
    trail.key(byPlace, place)
    lives.set(place, life)
    byGranule.set(granule, [...(byGranule.get(granule) ?? []), cell])
    byLocation.set(cell.location, cell)
    byPlace.set(place, cell)
    return cell
  }

  remove(cell: Cell): void {
    const { trail, byGranule, byLocation } = this
    const granule = Math.floor(cell.start / GRANULE)
    const rest = byGranule.get(granule)!.filter((other) => other !== cell)
    trail.key(byGranule, granule)
    trail.key(byLocation, cell.location)
    byGranule.set(granule, rest)
    byLocation.delete(cell.location)
  }
}

function shares(cell: Cell, start: number, size: number): boolean {
  return cell.start < start + size && start < cell.start + cell.size
}

/** What is in memory: a bigint for 8 bytes, else a number. */
export function readCell(memory: ProgramMemory, start: number, size: number): Value {
  const { bytes, words } = memory
  switch (size) {
    case 1:
      return bytes[start]
    case 2:
      return bytes[start] | (bytes[start + 1] << 8)
    case 4:
      return words[start >>> 2]
    default:
      return (BigInt(words[(start >>> 2) + 1]) << 32n) | BigInt(words[start >>> 2] >>> 0)
  }
}

export function writeCell(memory: ProgramMemory, start: number, size: number, value: Value): void {
  const { bytes, words } = memory
  switch (size) {
    case 1:
      bytes[start] = Number(value)
      break
    case 2:
      bytes[start] = Number(value) & 0xff
      bytes[start + 1] = Number(value) >> 8
      break
    case 4:
      words[start >>> 2] = Number(value)
      break
    default:
      words[start >>> 2] = Number(BigInt.asIntN(32, value as bigint))
      words[(start >>> 2) + 1] = Number(BigInt.asIntN(32, (value as bigint) >> 32n))
  }
}

/** The part of a value that fits a cell of that size; 64 bits are given as a bigint. */
export function fitted(value: Value, size: number): Value {
  if (size === 8) return BigInt.asIntN(64, BigInt(value))
  if (size === 4) return Number(value) | 0
  return Number(value) & (size === 1 ? 0xff : 0xffff)
}

/** What an atomic leaves, by its verb (see `atomicVerbs`); `old` and `operand` fit the cell. */
export function written(verb: string, old: Value, operand: Value, size: number): Value {
  if (size === 8) return BigInt.asIntN(64, wide(verb, old as bigint, operand as bigint))
  return fitted(narrow(verb, old as number, operand as number), size)
}

function narrow(verb: string, old: number, operand: number): number {
  switch (verb) {
    case 'fetch_add':
      return old + operand
    case 'fetch_sub':
      return old - operand
    case 'fetch_and':
      return old & operand
    case 'fetch_or':
      return old | operand
    case 'fetch_xor':
      return old ^ operand
    case 'fetch_nand':
      return ~(old & operand)
    default:
      return operand
  }
}

function wide(verb: string, old: bigint, operand: bigint): bigint {
  switch (verb) {
    case 'fetch_add':
      return old + operand
    case 'fetch_sub':
      return old - operand
    case 'fetch_and':
      return old & operand
    case 'fetch_or':
      return old | operand
    case 'fetch_xor':
      return old ^ operand
    case 'fetch_nand':
      return ~(old & operand)
    default:
      return operand
  }
}
