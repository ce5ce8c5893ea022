import { parseSize } from '../../words/size.js'
import type { StrategyOption } from '../registry.js'
import { loadPriorities } from './load-priorities.js'

/** What only best-first search can be told. */
export const bestFirstOptions: readonly StrategyOption[] = [
  {
    flags: '--memory <size>',
    help: 'how much of its tree to keep in memory (256M unless given); the rest goes to disk',
    parse: parseSize,
  },
  {
    flags: '--priorities <module>',
    help: 'a module that exports your own priority functions',
    parse: (path) => path,
    isPath: true,
    load: (path) => loadPriorities(path as string),
  },
]
