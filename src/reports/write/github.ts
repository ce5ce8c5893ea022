import type { Report } from '../report.js'
import { type FilePlace, filePlaces } from './places.js'

/** GitHub's workflow commands: what it shows beside the lines of a change. One per line. */
export function githubAnnotations(report: Report): string {
  const { bugs, races, raceDetector } = report
  const placeOf = filePlaces(report)
  const found = bugs.map(({ kind, message, explanation, location }) =>
    annotation('error', `Faultline: ${kind}`, placeOf(location), `${message}\n${explanation.text}`),
  )
  const racing = raceDetector === null ? [] : races
  const warnings = racing.map(({ object, message, sides }) =>
    annotation('warning', `Faultline: race on ${object}`, placeOf(sides[0].location), message),
  )
  return [...found, ...warnings].map((line) => `${line}\n`).join('')
}

function annotation(level: string, title: string, at: FilePlace | null, message: string): string {
  const place = at === null ? '' : `file=${property(at.file)},line=${at.line},`
  return `::${level} ${place}title=${property(title)}::${data(message)}`
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
