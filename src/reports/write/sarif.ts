import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { version } from '../../files/version.js'
import { bugKinds } from '../../machine/bug.js'
import type { BugReport, RaceReport, Report, Walk, WalkStep } from '../report.js'
import { knowledgeText } from './deepening.js'
import { filePlaces } from './places.js'
import type { ReportWriter } from './writer.js'

/** Steps of one execution at most: viewers and services take no more than some thousands. */
const mostSteps = 2000

const raceRule = 'data-race'
/** Each once: under some memory models a race is a bug. */
const ruleIds: readonly string[] = [...new Set<string>([...bugKinds, raceRule])]

/** SARIF 2.1.0 (OASIS Standard, 2020): bugs as errors with the interleaving as a code flow, races as warnings. */
function writeSarif(report: Report): string {
  const { bugs, races, caveats, incomplete, verdict, guarantee, executions } = report
  const notes = [...caveats, ...(incomplete ? [`not covered: ${incomplete.missing}`] : [])]
  const locationOf = locations(report)
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Faultline',
            semanticVersion: version,
            rules: ruleIds.map((id) => ({
              id,
              shortDescription: { text: id === raceRule ? 'Data race' : `A schedule ends with: ${id}` },
              defaultConfiguration: { level: id === raceRule ? 'warning' : 'error' },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: notes.map((text) => ({
              level: 'note',
              message: { text: safe(text) },
            })),
          },
        ],
        results: [
          ...bugs.map((bug) => bugResult(bug, locationOf)),
          ...races.map((race) => raceResult(race, locationOf)),
        ],
        properties: { verdict, guarantee, executions },
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function bugResult(bug: BugReport, locationOf: LocationOf): object {
  const { kind, message, explanation, location, function: name, walk, preemptions, schedule } = bug
  const told = explanation.steps.filter((step) => step.location !== null)
  return {
    ruleId: kind,
    ruleIndex: ruleIds.indexOf(kind),
    level: 'error',
    kind: 'fail',
    message: { text: safe(`${message}. ${explanation.text} Replay it with: faultline replay ${schedule}`) },
    locations: locationOf(location, name),
    relatedLocations: told.flatMap((step, id) =>
      locationOf(step.location, step.function).map((at) => ({
        ...at,
        id,
        message: { text: safe(`${step.role}: ${step.thread} ${step.operation} ${step.object}`) },
      })),
    ),
    codeFlows: walk.steps.length === 0 ? [] : [codeFlow(walk, locationOf)],
    partialFingerprints: { 'faultline/v1': fingerprint(kind, location, name) },
    properties: { preemptions, schedule },
  }
}

/** The interleaving: a flow for each thread, and when in the execution each step was. */
function codeFlow({ threads, steps }: Walk, locationOf: LocationOf): object {
  const shown = steps
    .map((step, i) => ({ step, i }))
    .filter(({ step }) => !step.isPrivate)
    .slice(-mostSteps)
  return {
    message: { text: 'The steps of each thread, in the order that fails' },
    threadFlows: threads.flatMap((thread, t) => {
      const own = shown.filter(({ step }) => step.thread === t)
      if (own.length === 0) return []
      return [
        {
          id: String(t),
          message: { text: safe(thread) },
          locations: own.map(({ step, i }) => ({
            executionOrder: i + 1,
            importance: step.failed || step.switched ? 'essential' : 'important',
            location: { ...locationOf(step.location, null)[0], message: { text: safe(textOf(step)) } },
            ...(step.value === null || step.object === ''
              ? {}
              : { state: { [safe(step.object)]: { text: step.value } } }),
          })),
        },
      ]
    }),
  }
}

function textOf({ operation, object, value }: WalkStep): string {
  const what = object === '' ? operation : `${operation} ${object}`
  return value === null ? what : `${what} = ${value}`
}

function raceResult({ object, message, sides, known }: RaceReport, locationOf: LocationOf): object {
  const text = `${message}.${known ? ` Known: ${knowledgeText[known]}.` : ''}`
  const [first, second] = sides
  return {
    ruleId: raceRule,
    ruleIndex: ruleIds.indexOf(raceRule),
    level: 'warning',
    kind: 'fail',
    message: { text: safe(text) },
    locations: locationOf(first.location, first.function),
    relatedLocations: locationOf(second.location, second.function).map((at) => ({
      ...at,
      id: 0,
      message: { text: safe(`${second.threads.join(', ')} ${second.action} ${object}`) },
    })),
    partialFingerprints: {
      'faultline/v1': fingerprint(raceRule, object, `${first.function} ${second.function}`),
    },
  }
}

type LocationOf = (location: string | null, name: string | null) => object[]

/** `queue.c:41` as SARIF has it; a place that is not in a file is only named. */
function locations(report: Report): LocationOf {
  const placeOf = filePlaces(report)
  return (location, name) => {
    if (location === null) return []
    const at = placeOf(location)
    if (at === null) return [{ logicalLocations: [{ name: safe(name ?? location), kind: 'function' }] }]
    const { file, line } = at
    const logical = name === null ? {} : { logicalLocations: [{ name: safe(name), kind: 'function' }] }
    const artifactLocation = isAbsolute(file)
      ? { uri: pathToFileURL(file).href }
      : { uri: encodeURI(file.replaceAll('\\', '/').replace(/^\.\//, '')), uriBaseId: '%SRCROOT%' }
    return [{ physicalLocation: { artifactLocation, region: { startLine: line } }, ...logical }]
  }
}

/** The same for the same bug, also when lines above it come and go. */
function fingerprint(kind: string, place: string | null, name: string | null): string {
  const file = place?.replace(/:\d+$/, '') ?? ''
  return createHash('sha256')
    .update([kind, file, name ?? ''].join('\n'))
    .digest('hex')
    .slice(0, 32)
}

/** Halves of character pairs are no Unicode: readers of the file may refuse it. */
function safe(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd')
}

export const sarifWriter: ReportWriter = {
  name: 'sarif',
  option: { flags: '--sarif <file>', help: 'write bugs and races as SARIF, for code scanning' },
  write: writeSarif,
}
