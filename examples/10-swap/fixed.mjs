// expect: verified
// All threads lock elements in the same order.
import { declarations, exchange } from './swap.js'

export default {
  name: 'swap',
  ...declarations,
  threads: { left: exchange('a', 'b', 'a', 'b'), right: exchange('b', 'a', 'a', 'b') },
}
