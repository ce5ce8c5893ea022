import { describe, expect, it } from 'vitest'
import { build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { isFull } from '../support/effort.js'
import { sideBySide } from './side-by-side.js'
import { endsOf } from './support.js'

const artifact = (name = 'exceptions') => build({ sources: [`tests/cpp/${name}.cpp`] })
const ends = async (
  number: number,
  {
    name = 'exceptions',
    strategy = 'optimal',
    leaks = true,
  }: { name?: string; strategy?: string; leaks?: boolean } = {},
) => endsOf(await wasmMachine(await artifact(name), { args: [String(number)], leaks }), { strategy })

describe('exceptions of C++', () => {
  it.each([
    ['are caught by the first handler that fits', 1],
    ['run destructors on their way, and are thrown again', 2],
    ['release locks, whatever another thread does meanwhile', 3],
    ['let the next thread initialise', 7],
    ['leave waits', 8],
    ['are how pthread_exit runs destructors', 9],
  ])('%s', async (_, number) => {
    expect(await ends(number)).toEqual(['ok '])
  })

  it.each([
    ['handlers', 4, ['ok 1\n', 'ok 2\n']],
    ['destructors', 5, ['ok -1\n', 'ok -2\n']],
  ])('threads are preempted in %s', async (_, number, expected) => {
    expect(await ends(number)).toEqual(expected)
    expect(await ends(number, { strategy: 'dfs' })).toEqual(expected)
  })

  it('are handed over to other threads', async () => {
    expect(await ends(6)).toEqual(['ok 0\n', 'ok 1\n'])
  })

  it.each([
    ['from main', 20, 'an exception of type Error is thrown, and nothing catches it: main'],
    ['from a thread', 21, 'an exception of type Error is thrown, and nothing catches it: thread'],
    ['through noexcept', 22, 'an exception of type Error is thrown, and nothing catches it: noexcept'],
    ['by a destructor on the way', 23, 'an exception of type int is thrown, and nothing catches it'],
    ['past handlers of other types', 24, 'an exception of type int is thrown, and nothing catches it'],
    ['again, where there is none', 26, 'std::terminate: throw; where no exception is being handled'],
    ['by a call of std::terminate', 27, 'std::terminate is called'],
    [
      'by pthread_exit and kept',
      28,
      'std::terminate: catch (...) ends here, but has caught the end of a thread: throw; is missing',
    ],
  ])('thrown %s end the program', async (_, number, message) => {
    expect(await ends(number)).toEqual([`uncaught: ${message}`])
  })

  it('call the handler of std::set_terminate', async () => {
    expect(await ends(25, { leaks: false })).toEqual(['ok terminated\n'])
  })

  it('are the same when executions begin where they leave the last one', async () => {
    for (const number of [3, 4, 6, 7]) {
      const args = [String(number)]
      await sideBySide(await artifact(), { recall: 'off', checkpoints: 'everywhere' }, { args })
      await sideBySide(await artifact(), { recall: 'everywhere', checkpoints: 'everywhere' }, { args })
    }
  })
})

describe.runIf(isFull)("exceptions of C++'s library", () => {
  const name = 'library-exceptions'

  /** What the library's compiled code holds when it throws, texts of std::stoi for one, is lost: it has no cleanup. */
  it('come out of it', async () => {
    expect(await ends(1, { name, leaks: false })).toEqual(['ok '])
  })

  it.each([
    ['come out of std::async', 2],
    ['are put into promises', 3],
    ['are put into promises by other threads', 4],
    ['come out of packaged tasks and broken promises', 5],
  ])('%s', async (_, number) => {
    expect(await ends(number, { name })).toEqual(['ok '])
  })
})
