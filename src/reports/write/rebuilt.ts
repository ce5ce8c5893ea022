import { count } from '../../words/words.js'
import type { Rebuilt } from '../build/rebuild.js'

/** What became of a recorded bug, in words. */
export function rebuiltText(rebuilt: Rebuilt, recorded: { kind: string; location: string | null }): string {
  const { fate, location, bySchedule } = rebuilt
  const was = recorded.location ?? 'no place in particular'
  const fit = fitText(rebuilt)
  const how = bySchedule ? fit : 'under another schedule with no more preemptions'
  switch (fate) {
    case 'same':
      return `The bug is still there: ${recorded.kind} at ${was}; ${how}.`
    case 'moved':
      return `The bug is still there, but has moved: ${recorded.kind} at ${location ?? 'the end'}, before at ${was}; ${how}.`
    case 'other':
      return `The recorded bug (${recorded.kind} at ${was}) does not show, but another one does.`
    case 'unclear':
      return (
        `Whether the bug (${recorded.kind} at ${was}) is gone cannot be told: the program has changed so much that nothing of ` +
        `the recorded schedule fits, and there are too many others to try them all (${count(rebuilt.tried, 'schedule')} passed). ` +
        'Run the check again; if it finds nothing, this file is of no more use.'
      )
    case 'gone':
      return `The bug is gone: ${fit} and nothing fails; ${searchText(rebuilt)}`
  }
}

function fitText({ met, stops }: Rebuilt): string {
  if (met === stops) return 'the recorded schedule fits'
  if (met === 0) return 'the recorded schedule does not fit'
  return `the recorded schedule fits in part (${met} of ${count(stops, 'switch', 'switches')})`
}

function searchText({ tried, triedBound }: Rebuilt): string {
  const others = 'Other schedules may still fail: run the check again to know.'
  if (triedBound < 0)
    return `${count(tried, 'schedule')} with no more preemptions do not fail either. ${others}`
  const bound = Number.isFinite(triedBound) ? ` with at most ${count(triedBound, 'preemption')}` : ''
  return `no schedule${bound} fails either (${tried} run). ${others}`
}
