// expect: bug deadlock
// Each thread locks the element it was given first: two that swap the same elements wait for each other.
import { declarations, exchange } from './swap.js'

export default {
  name: 'swap',
  ...declarations,
  threads: { left: exchange('a', 'b', 'a', 'b'), right: exchange('b', 'a', 'b', 'a') },
}
