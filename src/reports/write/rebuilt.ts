import { count } from '../../words/words.js'
import type { Rebuilt } from '../build/rebuild.js'

/** What became of a recorded bug, in words. */
export function rebuiltText(rebuilt: Rebuilt, recorded: { kind: string; location: string | null }): string {
  const { fate, location, bySchedule, turns, fitted } = rebuilt
  const was = recorded.location ?? 'no place in particular'
  const fit =
    fitted + 1 >= turns
      ? 'the recorded schedule fits'
      : `the recorded schedule fits in part (${fitted} of ${turns - 1} switches)`
  const how = bySchedule ? fit : 'under another schedule with no more preemptions'
  switch (fate) {
    case 'same':
      return `The bug is still there: ${recorded.kind} at ${was}; ${how}.`
    case 'moved':
      return `The bug is still there, but has moved: ${recorded.kind} at ${location ?? 'the end'}, before at ${was}; ${how}.`
    case 'other':
      return `The recorded bug (${recorded.kind} at ${was}) does not show, but another one does.`
    case 'gone':
      return `The bug is gone: ${fit} and nothing fails; ${searchText(rebuilt)}`
  }
}

function searchText({ tried, triedBound }: Rebuilt): string {
  const others = 'other schedules may still fail: run the check again to know.'
  if (triedBound < 0)
    return `${count(tried, 'schedule')} with no more preemptions do not fail either. ${others}`
  const bound = Number.isFinite(triedBound) ? ` with at most ${count(triedBound, 'preemption')}` : ''
  return `no schedule${bound} fails either (${tried} run). ${others[0].toUpperCase()}${others.slice(1)}`
}
