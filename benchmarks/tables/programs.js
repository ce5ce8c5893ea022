// The programs that tables are about, and machines of them.
import { corpusFolder, entries } from '../../corpus/entries.js'
import { frontEndFor } from '../../dist/frontends/registry.js'
import { everywhere } from '../../dist/index.js'

/** Ours in C that need no options: what is in C++ takes several times as long to compile. */
export function tablePrograms() {
  return entries().filter(
    ({ file, about }) => file.endsWith('.c') && about.family !== 'examples' && about.options === undefined,
  )
}

let last = { key: '', machine: null }

/** A machine of a program, with its bug or repaired; the last one is kept. */
export async function machineOf({ file, about }, isTwin = false) {
  const define = [...(about.define ?? []), ...(isTwin ? [] : ['BUG'])]
  const key = [file, ...define].join(' ')
  if (last.key !== key) {
    const recipe = { files: [file], define }
    const { machine } = await frontEndFor(recipe.files).load(recipe, corpusFolder)
    machine.usePoints(everywhere)
    last = { key, machine }
  }
  return last.machine
}

/** Says when so many seconds of processor time are over: other work on the machine must not count. */
export function clock(seconds) {
  const start = process.cpuUsage()
  const elapsed = () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1e6
  }
  return { elapsed, isOver: () => elapsed() >= seconds }
}
