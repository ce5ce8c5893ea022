import { beforeAll, describe, expect, it } from 'vitest'
import { type Artifact, build, unseenCaveats, wasmMachine } from '../../src/frontends/wasm/index.js'
import { everywhere } from '../../src/machine/points.js'
import { isFull } from '../support/effort.js'
import { endsOf, loadCxx, outcomes } from './support.js'

let artifact: Artifact
beforeAll(async () => {
  artifact = await build({ sources: ['tests/c/library-reads.c'] })
})

const cases: [number: number, what: string, ends: string[]][] = [
  [1, 'printf', ['ok 7 12\n -1 ', 'ok 7 32\n -1 ']],
  [2, 'puts', ['ok 12\n -1 ', 'ok 32\n -1 ']],
  [3, 'fwrite', ['ok 12 -1 ', 'ok 32 -1 ']],
  [4, 'strtol', ['ok  12 ', 'ok  32 ']],
  [5, 'strtok, which remembers for all threads', ['ok  0 ', 'ok  1 ']],
  [6, 'localtime, which has one result for all threads', ['ok month 0', 'ok month 1']],
  [7, 'fgets', ['ok  120 y\n', 'ok  121 x\n']],
  [8, 'snprintf', ['ok  -1 <12>', 'ok  -1 <32>']],
  [9, 'qsort', ['ok  1 ', 'ok  2 ']],
  [10, 'sscanf, which reads', ['ok  12 ', 'ok  32 ']],
  [11, 'sscanf, which writes', ['ok  0 ', 'ok  1 ']],
  [12, 'rand_r', ['ok  0 ', 'ok  1 ']],
  [13, 'read', ['ok  0 ', 'ok  120 ']],
  [14, 'write', ['ok 12 -1 ', 'ok 32 -1 ']],
  [15, 'posix_memalign', ['ok  0 ', 'ok  1 ']],
  [16, 'modf', ['ok  0 ', 'ok  3 ']],
  [17, 'pthread_key_create', ['ok  0 ', 'ok  1 ']],
  [18, 'strsep', ['ok  0 ', 'ok  32 ']],
  [19, 'stpcpy', ['ok  -1 12', 'ok  -1 32']],
  [20, 'strlcpy', ['ok  -1 1', 'ok  -1 3']],
  [21, 'memccpy', ['ok  -1 12', 'ok  -1 32']],
  [22, 'mbstowcs', ['ok  49 ', 'ok  51 ']],
  [23, 'scanf', ['ok  0 ', 'ok  120 ']],
  [24, 'wmemcpy', ['ok  49 ', 'ok  51 ']],
  [25, 'memmem', ['ok  0 ', 'ok  1 ']],
  [26, 'swab', ['ok  -1 21', 'ok  -1 23']],
  [27, 'atexit, whose order shows at the end', ['ok  -1 first other ', 'ok  -1 other first ']],
  [28, 'bcmp', ['ok  0 ', 'ok  1 ']],
  [29, 'wmemchr, and so std::find', ['ok  0 ', 'ok  1 ']],
  [30, 'clearerr', ['ok  0 xyz', 'ok  1 xyz']],
  [31, 'fread, of an element that does not come as a whole', ['ok  0 ', 'ok  121 ']],
  [32, 'printf that names the places of its arguments', ['ok 2 12 -1 ', 'ok 2 32 -1 ']],
  [33, 'sprintf, which writes there', ['ok  1 ', 'ok  2 ']],
  [34, 'sscanf that names them', ['ok  2 ', 'ok  5 ']],
  [35, 'a pattern that is no constant', ['ok  -1 12', 'ok  -1 32']],
  [36, 'nanosleep, which reads', ['ok  -1 ', 'ok  0 ']],
  [37, 'nanosleep, which writes', ['ok  0 ', 'ok  1 ']],
  [38, 'strndup', ['ok  49 ', 'ok  51 ']],
  [39, 'strncasecmp', ['ok  0 ', 'ok  1 ']],
  [40, 'feof', ['ok  0 xyz', 'ok  1 xyz']],
]

describe('memory of the program is seen to be used by', () => {
  it.each(cases)('%i: %s', async (number, _, ends) => {
    const machine = await wasmMachine(artifact, { args: [String(number)], stdin: 'x\ny\n' })
    machine.usePoints(everywhere)
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual(ends)
  })

  it('all that the program calls', () => {
    expect(unseenCaveats(artifact)).toEqual([])
  })
})

describe('what is not seen', () => {
  it('is told with its place', () => {
    const call = (callee: string, line: number) => ({
      kind: 'call' as const,
      callee,
      file: 'a.c',
      line,
      name: `a.c:${line}:1:call`,
      function: 'main',
      size: 0,
      offset: 0,
    })
    const sites = [call('wordexp', 3), call('wordexp', 4), call('sin', 5), call('work', 6), call('printf', 7)]
    const user = { name: 'work', symbol: 'work', pointers: [], user: true }
    const logged = { name: 'fl_user_printf', symbol: 'fl_user_printf', pointers: [], user: false }
    expect(unseenCaveats({ ...artifact, sites, functions: [user, logged] })).toEqual([
      'what wordexp (a.c:3) read and write was not seen: if other threads use that memory at the same time, schedules ' +
        'may be missing',
    ])
  })
})

// Compiling streams takes as long as thirty programs in C.
describe.runIf(isFull)('streams read what they print', () => {
  it.each([1, 2, 3])('case %i', async (number) => {
    const { bugs } = outcomes(await loadCxx('printed', number), { strategy: 'optimal' })
    expect(new Set(bugs.map(({ kind }) => kind))).toEqual(new Set(['use-after-free']))
  })
})
