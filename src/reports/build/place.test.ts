import { expect, it } from 'vitest'
import { shownPlace } from './place.js'

const frames = [
  { function: 'run', location: 'pool.cpp:4' },
  { function: 'main', location: 'pool.cpp:7' },
]
const stacks = [
  { title: 'freed', thread: 'main', frames: [{ function: 'other', location: 'pool.cpp:1' }] },
  { title: 'failed', thread: 'main', frames },
]
const site = { name: 'future:9', function: 'operator()', file: '/usr/include/c++/v1/future', line: 9 }

it('is where the program called the library, for what fails inside that', () => {
  expect(shownPlace({ ...site, isLibrary: true }, stacks)).toEqual({
    location: 'pool.cpp:4',
    function: 'run',
  })
  expect(shownPlace({ ...site, isLibrary: true }, []).function).toBe('operator()')
  expect(shownPlace({ ...site, file: 'own.h' }, stacks).location).toBe('own.h:9')
  expect(shownPlace(undefined, stacks)).toEqual({ location: null, function: null })
})
