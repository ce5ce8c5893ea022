import { expect, test } from 'vitest'
import { briefFunction } from './function-name.js'

test.each([
  ['increment', 'increment'],
  ['Stack<int>::push(int const&)', 'Stack<int>::push(int const&)'],
  ['std::__2::mutex::lock()', 'std::mutex::lock()'],
  [
    'pool<std::__2::function<void ()>, std::__2::jthread>::pool<std::__2::function<void (int)>>(unsigned int const&)',
    'pool::pool(unsigned int const&)',
  ],
  ['Map<std::__2::vector<int, std::__2::allocator<int>>>::operator<<', 'Map::operator<<'],
  ['Map<std::__2::vector<int, std::__2::allocator<int>>>::operator->', 'Map::operator->'],
  ['Map<std::__2::vector<int, std::__2::allocator<int>>, 3>::operator()', 'Map::operator()'],
  [
    'compare_of_something_with_a_long_name::myoperator<int, long>',
    'compare_of_something_with_a_long_name::myoperator',
  ],
  // Not understood, and left as it is.
  ['something_that_is_long_enough_to_be_shortened<', 'something_that_is_long_enough_to_be_shortened<'],
])('%s is called %s', (name, brief) => {
  expect(briefFunction(name)).toBe(brief)
})
