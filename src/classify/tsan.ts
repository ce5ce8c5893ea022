import type { ReportedPlace, ReportedRace, ReportedSide } from './reported-race.js'

/** `  Previous atomic write of size 4 at 0x7b04 by thread T1 (mutexes: write M9):` */
const access =
  /^\s*(?:Previous )?((?:atomic )?(?:read|write)) of size \d+ at 0x[\da-f]+ by (?:main thread|thread T\d+)\b.*:\s*$/i

/** `    #0 worker /home/me/counter.c:9:10 (counter+0xd1c0) (BuildId: …)`; gcc writes no column. */
const frame = /^\s*#\d+ (.*?)(?: (\S+?):(\d+)(?::\d+)?)?(?: <null>)?(?: \([^()]*\+0x[\da-f]+\).*)?\s*$/

/**
 * Reads the data races in the text that ThreadSanitizer prints, that of clang's runtime or of gcc's; other text in between
 * is passed over. A side whose stack it could not restore has none, and its race is left out.
 */
export function readSanitizer(text: string): ReportedRace[] {
  const races: ReportedRace[] = []
  for (const report of text.split(/^WARNING: ThreadSanitizer: /m).slice(1)) {
    // Two accesses also stand in reports of a race with free, or on a vtable.
    const sides = sidesIn(report)
    if (sides.length >= 2 && sides[0].stack.length > 0 && sides[1].stack.length > 0)
      races.push({ sides: [sides[0], sides[1]], count: 1 })
  }
  return races
}

function sidesIn(report: string): ReportedSide[] {
  const sides: { stack: ReportedPlace[]; operation: string }[] = []
  let isInStack = false
  for (const line of report.split('\n')) {
    const [, operation] = access.exec(line) ?? []
    if (operation !== undefined) {
      sides.push({ stack: [], operation: operation.toLowerCase() })
      isInStack = true
    } else if (isInStack) {
      const place = placeIn(line)
      if (place === null) isInStack = false
      else sides.at(-1)!.stack.push(place)
    }
  }
  return sides
}

function placeIn(line: string): ReportedPlace | null {
  if (!/^\s*#\d+ /.test(line)) return null
  const [, name, file, number] = frame.exec(line) ?? []
  if (name === undefined) return null
  return {
    function: name,
    file: file ?? null,
    line: number === undefined ? null : Number(number),
    name: null,
  }
}
