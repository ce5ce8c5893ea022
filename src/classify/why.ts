import type { Machine } from '../machine/machine.js'
import { count } from '../words/words.js'
import type { Classified } from './classify.js'
import { placeOf } from './cluster.js'
import type { Outcome } from './trials.js'

/** An access of a race, for people: `the write of worker (0.1) at queue.c:41`. */
export function accessText(
  machine: Machine,
  access: { site: string; thread: string; write: boolean },
): string {
  const thread = machine.threads.labelOf(machine.threads.byName(access.thread))
  return `the ${access.write ? 'write' : 'read'} of ${thread} at ${placeOf(machine, access.site)}`
}

/** Both orders, by index of the execution in the evidence. */
export function ordersOf(machine: Machine, { judgement, decidedBy }: Classified): [string, string] {
  const isAFirst = judgement.attempt?.sighting.aFirst ?? decidedBy.aFirst > 0
  const sides = isAFirst ? [decidedBy.a, decidedBy.b] : [decidedBy.b, decidedBy.a]
  const [first, second] = sides.map((side) => accessText(machine, side))
  return [`${first} before ${second}`, `${second} before ${first}`]
}

/** Why a race is of its class: one paragraph. */
export function whyText(machine: Machine, race: Classified, isComplete: boolean, executions: number): string {
  const text = reasonText(machine, race, isComplete, executions)
  const { bothFail, inconclusive } = race
  const also: string[] = []
  if (race.class === 'single-ordering' && race.cluster.pairs.every((pair) => pair.seenBy.size === 0))
    also.push(`No detector saw the two race in ${count(executions, 'execution')}`)
  if (bothFail > 0 && race.class !== 'unknown')
    also.push(
      `In ${count(bothFail, 'more pair')} of executions the program fails in the same way whichever comes first; ${bothFail === 1 ? 'that is' : 'those are'} not counted`,
    )
  if (inconclusive > 0)
    also.push(
      `${count(inconclusive, 'pair')} of executions did not run to an end and ${inconclusive === 1 ? 'is' : 'are'} not counted`,
    )
  return [text, ...also].join('. ')
}

function reasonText(machine: Machine, race: Classified, isComplete: boolean, executions: number): string {
  const { judgement, decidedBy } = race
  const { attempt, comparison, reason } = judgement
  const orders = ordersOf(machine, race)
  const searched = isComplete
    ? `in all ${executions} schedules of the program`
    : `in the ${count(executions, 'execution')} of the search`
  switch (race.class) {
    case 'spec-violated': {
      const ends = [comparison!.primary, comparison!.alternate].map((outcome) => endText(machine, outcome))
      const held = attempt!.hold === 'reached' ? '' : ' (the other access is not even reached then)'
      return `With ${orders[0]}, ${ends[0]}; with ${orders[1]}${held}, ${ends[1]}. Nothing else differs between the two executions`
    }
    case 'output-differs':
      return `The program prints something else with ${orders[0]} than with ${orders[1]}; nothing else differs between the two executions`
    case 'harmless':
      return `${count(race.witnesses, 'distinct pair')} of executions that differ in the order of the two accesses ended without failure and printed the same. That is all that was shown: more are tried with --primaries and --alternates`
    case 'single-ordering': {
      const [first, second] = orders[0].split(' before ')
      if (reason === 'elsewhere')
        return `${capital(first)} always comes first, ${searched}: held back there, the other thread does something else and never comes to ${second}`
      if (reason === 'loops')
        return `${capital(first)} must come first: held back there for ${attempt!.heldSteps} steps, the other thread goes round a loop that looks at ${attempt!.awaited.join(', ')}, and leaves it once that is written`
      const { waitsFor } = attempt!
      const what =
        waitsFor === null
          ? 'the other thread does not exist before'
          : waitsFor.spinning
            ? `the other thread waits in a loop for ${waitsFor.object.replace(/^a change of /, '')} to be written, which nobody else does`
            : `the other thread waits for ${waitsFor.object}, and nobody else can go on`
      return `${capital(first)} must come first: as long as it is held back, ${what}`
    }
    case 'unknown':
      return unknownText(race, orders, searched, machine, decidedBy.sightings.length)
  }
}

function unknownText(
  { judgement }: Classified,
  orders: readonly string[],
  searched: string,
  machine: Machine,
  sightings: number,
): string {
  const { attempt, comparison, reason } = judgement
  switch (reason) {
    case 'both-fail':
      return `The program fails in the same way with ${orders[0]} and with ${orders[1]}: ${endText(machine, comparison!.alternate)}. What the order does to an execution that ends well was not seen`
    case 'inconclusive':
      return 'No two executions that differ in the order of the two accesses ran to an end'
    case 'not-enforced':
      return `Both orders were seen, but from ${count(judgement.primaries, 'execution')} neither could be made of the other`
    case 'elsewhere':
      return `The other order was not seen ${searched}, and where the first access is held back the other thread does something else. Other schedules may still show it`
    case 'timeout':
      return `Held back for ${attempt!.heldSteps} steps, the first access does not let the other thread come to its own, and nothing shows what that waits for`
    case 'never-seen':
      return `The pair was never seen to race ${searched}${sightings > 0 ? ', though both places were executed' : ''}`
    default:
      return 'There was no time left to try the other order'
  }
}

/** How an execution ended, in words. */
export function endText(machine: Machine, { bug }: Outcome): string {
  if (bug === null) return 'the program ends normally'
  const site = machine.sites[bug.site]
  const where = site === undefined || bug.message.includes(' at ') ? '' : ` at ${placeOf(machine, site.name)}`
  return `it fails (${bug.kind}: ${bug.message}${where})`
}

function capital(text: string): string {
  return text.replace(/^./, (c) => c.toUpperCase())
}
