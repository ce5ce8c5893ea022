import { load, store } from '../../src/frontends/model/build.js'
import type { Program } from '../../src/frontends/model/program.js'

/** A program of plain accesses: each word is a thread, each letter an access; capitals write, small letters read. */
export function accesses(text: string): Program {
  const bodies = text.split(' ').map((word) =>
    [...word].map((letter, i) => {
      const name = letter.toLowerCase()
      return letter === name ? load(name, 'r') : store(name, i)
    }),
  )
  return {
    name: text,
    variables: Object.fromEntries([...new Set(text.toLowerCase().replaceAll(' ', ''))].map((v) => [v, 0])),
    threads: Object.fromEntries(bodies.map((body, t) => [`t${t}`, body])),
  }
}
