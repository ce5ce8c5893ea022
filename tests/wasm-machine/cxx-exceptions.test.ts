import { describe, expect, it } from 'vitest'
import { build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { sideBySide } from './side-by-side.js'
import { endsOf } from './support.js'

const artifact = () => build({ sources: ['tests/cpp/exceptions.cpp'] })
const ends = async (number: number, { strategy = 'optimal', leaks = true } = {}) =>
  endsOf(await wasmMachine(await artifact(), { args: [String(number)], leaks }), { strategy })

describe('exceptions of C++', () => {
  it.each([
    ['are caught by the first handler that fits', 1],
    ['run destructors on their way, and are thrown again', 2],
    ['release locks, whatever another thread does meanwhile', 4],
    ['come out of std::async', 8],
    ['are put into promises', 9],
    ['are put into promises by other threads', 10],
    ['come out of packaged tasks and broken promises', 11],
    ['let the next thread initialise', 12],
    ['leave waits', 13],
    ['are how pthread_exit runs destructors', 14],
  ])('%s', async (_, number) => {
    expect(await ends(number)).toEqual(['ok '])
  })

  it.each([
    ['handlers', 5, ['ok 1\n', 'ok 2\n']],
    ['destructors', 6, ['ok -1\n', 'ok -2\n']],
  ])('threads are preempted in %s', async (_, number, expected) => {
    expect(await ends(number)).toEqual(expected)
    expect(await ends(number, { strategy: 'dfs' })).toEqual(expected)
  })

  /** What the library's compiled code holds when it throws, texts of std::stoi for one, is lost: it has no cleanup. */
  it('come out of the library', async () => {
    expect(await ends(3, { leaks: false })).toEqual(['ok '])
  })

  it('are handed over to other threads', async () => {
    expect(await ends(7)).toEqual(['ok 0\n', 'ok 1\n'])
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
    for (const number of [4, 5, 7, 12]) {
      const args = [String(number)]
      await sideBySide(await artifact(), { recall: 'off', checkpoints: 'everywhere' }, { args })
      await sideBySide(await artifact(), { recall: 'everywhere', checkpoints: 'everywhere' }, { args })
    }
  })
})
