import { basename } from 'node:path'
import type { Explained, Reason } from '../../explain/explain.js'
import type { NamedEvent, NamedOrder } from '../../explain/named-events.js'
import type { ExplainedStep, Explanation } from '../../files/explanation.js'
import { operations } from '../../machine/operation.js'
import { list } from '../../words/words.js'

/** How an operation is told: what a thread does, and what was done. */
interface Words {
  readonly verb: string
  readonly noun: string
}

function words(kind: number): Words {
  const { name, verb = `does "${name}" on`, noun = `${name} of` } = operations[kind]
  return { verb, noun }
}

export const notExplained: Explanation = {
  kind: 'unknown',
  text: 'No single reason can be shown: no schedule close to this one was found to pass.',
  steps: [],
}

type NameOf = (thread: number) => string

/** Puts the reason of a failure into words. `nameOf` gives the name of a thread for people. */
export function explanationOf(
  { reason, failed, taken, aborts, wake }: Explained,
  nameOf: NameOf,
): Explanation {
  const { text, steps, ...rest } = reasonText(reason, nameOf)
  const lock = taken && ` The lock ${quoted(taken)} was taken last by ${nameOf(taken.thread)}${where(taken)}.`
  return {
    ...rest,
    text: text + (lock ?? '') + abortsText(aborts, nameOf) + wakeText(wake, nameOf),
    steps: [
      ...steps,
      ...(taken ? [stepOf('took', taken, nameOf)] : []),
      ...aborts.map(({ begin }) => stepOf('choice', begin, nameOf)),
      ...(wake ? [stepOf('choice', wake.signal, nameOf)] : []),
      ...(failed ? [stepOf('failed', failed, nameOf)] : []),
    ],
  }
}

/** ` It would also have passed had A's transaction (f.c:7) not aborted, in conflict with B's write to x (f.c:8).` */
function abortsText(aborts: Explained['aborts'], nameOf: NameOf): string {
  if (aborts.length === 0) return ''
  const told = aborts.map(({ begin, met }) => {
    const why = met ? `, in conflict with ${nameOf(met.thread)}'s ${nounPhrase(met)}` : ''
    return `${nameOf(begin.thread)}'s transaction${where(begin)} not aborted${why}`
  })
  return ` It would also have passed had ${list(told)}.`
}

/** ` It would also have passed had A's signal on ready (f.c:8) woken another thread than B.` */
function wakeText(wake: Explained['wake'], nameOf: NameOf): string {
  if (wake === null) return ''
  const { signal, woken } = wake
  return ` It would also have passed had ${nameOf(signal.thread)}'s ${nounPhrase(signal)} woken another thread than ${nameOf(woken)}.`
}

function stepOf(role: ExplainedStep['role'], event: NamedEvent, nameOf: NameOf): ExplainedStep {
  return {
    role,
    thread: nameOf(event.thread),
    operation: operations[event.kind].name,
    object: event.object,
    location: event.place?.name ?? null,
    function: event.place?.function ?? null,
    step: event.happened ? event.position : null,
    happened: event.happened,
  }
}

function reasonText(reason: Reason, nameOf: NameOf): Explanation {
  const step = (role: ExplainedStep['role'], event: NamedEvent) => stepOf(role, event, nameOf)
  switch (reason.kind) {
    case 'between': {
      const { before, inner, after, isProven } = reason
      const owner = nameOf(before.thread)
      const what = `${clauses(inner, nameOf)} between ${owner}'s ${nounPhrase(before)} and its ${nounPhrase(after)}`
      const passes =
        isProven === 'both'
          ? 'With either order reversed, and all else as it was, it passes.'
          : `Had ${owner}'s ${nounPhrase(after)} come first, and all else been as it was, it would have passed.`
      return {
        kind: 'between',
        text: `Fails because ${what}. ${passes}`,
        steps: [step('before', before), ...inner.map((e) => step('between', e)), step('after', after)],
      }
    }
    case 'order':
      return {
        kind: 'order',
        text: `Fails because ${reason.orders.map((o) => orderClause(o, nameOf)).join(', and ')}. ${
          reason.shownBy === 'this'
            ? 'In the other order, and all else as it was, it passes.'
            : 'A schedule with the other order passes; with only that order changed, it fails in the same way.'
        }`,
        steps: reason.orders.flatMap((o) => [step('first', o.first), step('second', o.second)]),
      }
    case 'together':
      return {
        kind: 'together',
        text: `No single order makes the difference: it fails because ${reason.orders.map((o) => orderClause(o, nameOf)).join(', and ')}; only with both reversed it passes.`,
        steps: reason.orders.flatMap((o) => [step('first', o.first), step('second', o.second)]),
      }
    case 'choice':
      return {
        kind: 'choice',
        text: `Fails because of a choice: ${nameOf(reason.event.thread)}, ${operations[reason.event.kind].name} → ${reason.choice}${where(reason.event)}. With another one, and all else as it was, it passes.`,
        steps: [step('choice', reason.event)],
      }
    case 'cycle': {
      const links = reason.cycle.map(({ took, waits }) => {
        const held = took ? `took ${quoted(took)}${where(took)} and ` : ''
        return `${nameOf(waits.thread)} ${held}waits for ${waits.object === '' ? 'another thread to end' : quoted(waits)}${where(waits)}`
      })
      const passes = reason.isOrdered ? ' With these locks taken in another order, it passes.' : ''
      return {
        kind: 'cycle',
        text: `Fails because ${links.join(', while ')}.${passes}`,
        steps: reason.cycle.flatMap(({ took, waits }) => [
          ...(took ? [step('took', took)] : []),
          step('waits', waits),
        ]),
      }
    }
    case 'turning-point':
      return {
        kind: 'turning-point',
        text: `No single order makes the difference. The last place found where it could still pass is before ${nameOf(reason.event.thread)} ${verbPhrase(reason.event)}: with ${nameOf(reason.first)} going first there, it passes.`,
        steps: [step('turning', reason.event)],
      }
    case 'always':
      return {
        kind: 'always',
        text: reason.somehow
          ? 'Every schedule fails, in this way or another: the order of the threads makes no difference.'
          : 'Every schedule fails in this way: the order of the threads makes no difference.',
        steps: [],
      }
    case 'unknown':
      return notExplained
  }
}

function orderClause({ first, second }: NamedOrder, nameOf: (thread: number) => string): string {
  return `${clauses([first], nameOf)} before ${clauses([second], nameOf)}`
}

/** `B reads and writes x (f.c:7)`, `B writes x (f.c:7) and signals ready (f.c:8)`. */
function clauses(events: readonly NamedEvent[], nameOf: (thread: number) => string): string {
  let text = ''
  let previous: NamedEvent | undefined
  events.forEach((event, i) => {
    const { verb } = words(event.kind)
    const next = events[i + 1]
    const joins = next && sameObject(event, next) && next.thread === event.thread
    const subject = previous?.thread === event.thread ? '' : `${nameOf(event.thread)} `
    const isRepeated = previous && sameObject(previous, event) && words(previous.kind).verb === verb
    if (isRepeated) {
      text += `${tail(event)}`
    } else {
      text += `${i > 0 ? ' and ' : ''}${subject}${verb}`
      if (!joins) text += tail(event)
    }
    previous = event
  })
  return text
}

function tail(event: NamedEvent): string {
  return `${event.object === '' ? '' : ` ${quoted(event)}`}${where(event)}`
}

function sameObject(a: NamedEvent, b: NamedEvent): boolean {
  return a.object === b.object && a.place?.name === b.place?.name
}

function verbPhrase(event: NamedEvent): string {
  return `${words(event.kind).verb}${tail(event)}`
}

function nounPhrase(event: NamedEvent): string {
  return `${words(event.kind).noun}${tail(event)}`
}

/** The name of the object without its kind, which the verb tells. */
function quoted({ object }: NamedEvent): string {
  return object.replace(/^(?:condition variable|mutex|rwlock|semaphore|barrier) (?=\S)/, '')
}

function where({ place }: NamedEvent): string {
  if (place === null) return ''
  return place.file !== null && place.line !== null
    ? ` (${basename(place.file)}:${place.line})`
    : ` (${place.name})`
}
