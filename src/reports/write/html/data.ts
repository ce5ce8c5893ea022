import type { BugData, PageData } from '../../../web/steps.js'
import { briefObject } from '../../build/interleaving.js'
import type { BugReport, Report } from '../../report.js'
import { visible } from './markup.js'
import { rolesOf } from './roles.js'

/** What the page's script works on. */
export function pageData({ bugs, files = [] }: Report): PageData {
  return {
    files: files.map(({ file, path, text }) => ({ file, path, lines: visible(text).split('\n') })),
    bugs: bugs.map(bugData),
  }
}

/** What is null, false or empty is left out: most of it is. */
function bugData(bug: BugReport): BugData {
  const { threads, steps, stacks, edges } = bug.walk
  const roles = rolesOf(bug)
  return {
    threads: threads.map(visible),
    stacks,
    edges: edges.map(({ from, to, kind }) => [from, to, kind]),
    steps: steps.map((step, i) => {
      const brief = briefObject(step.object, step.operation)
      return {
        thread: step.thread,
        operation: visible(step.operation),
        ...(step.object === '' ? {} : { object: visible(step.object) }),
        ...(brief === step.object ? {} : { brief: visible(brief) }),
        ...(step.file === null ? {} : { file: step.file }),
        ...(step.line === null ? {} : { line: step.line }),
        ...(step.location === null ? {} : { location: visible(step.location) }),
        ...(step.value === null ? {} : { value: step.value }),
        ...(step.before === null ? {} : { before: step.before }),
        ...(step.locks.length === 0 ? {} : { locks: step.locks.map(visible) }),
        ...(step.switched === null ? {} : { switched: step.switched.isPreemption ? 2 : 1 }),
        ...(step.isPrivate ? { isPrivate: true } : {}),
        ...(step.failed ? { failed: true } : {}),
        ...(roles.has(i) ? { role: roles.get(i)! } : {}),
        stack: step.stack,
      }
    }),
  }
}
