import { includesPoints, type PointSet } from '../machine/points.js'
import type { Job } from './job.js'
import { kindBit } from './watch-operations.js'

/** Whether no point of the set arises in the complete job's state space beyond the job's own. */
export function isSameSpace(done: Job, points: PointSet): boolean {
  if (!includesPoints(points, done.points) || points.kinds.includes('everywhere')) return false
  const more = points.kinds.filter((kind) => !done.points.kinds.includes(kind))
  const isUnseen = more.every((kind) => (done.kindsSeen & kindBit(kind)) === 0)
  return (
    isUnseen &&
    points.races.every((race) => includesPoints(done.points, { ...points, kinds: [], races: [race] }))
  )
}

export function sizeOf({ kinds, races }: PointSet): number {
  return kinds.length + races.length
}
