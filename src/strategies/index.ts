import type { Saved, Strategy } from '../execution/strategy.js'
import { Random } from '../random/random.js'
import { addTo } from '../words/add-to.js'
import { bestFirst, loadBestFirst } from './best-first/best-first.js'
import { bestFirstOptions } from './best-first/options.js'
import { priorityHelp } from './best-first/priorities.js'
import { treeStatistics } from './best-first/statistics.js'
import { delay, loadDelay } from './delay.js'
import { depthFirst, loadDepthFirst, openDepthFirst } from './depth-first.js'
import { dpor, loadDpor, openDpor } from './dpor.js'
import { graphsByArgument, loadGraphsByArgument } from './graphs/or-dfs.js'
import { divideGraphs } from './graphs/saved-items.js'
import { icb, loadIcb, openIcb } from './icb.js'
import { checkMemoryModel } from './memory-models.js'
import { loadMix, mix } from './mix.js'
import { loadOptimal, openOptimal, optimal } from './optimal.js'
import type { Divisible, PartStart } from './parallel/part.js'
import { loadPct, pct } from './pct.js'
import { loadPctwm, pctwm } from './pctwm.js'
import { basicPos, pos } from './pos.js'
import { hitBoundStatistics } from './pos-bound.js'
import { randomWalk } from './random-walk.js'
import { rapos } from './rapos.js'
import { type StrategyContext, type StrategyEntry, StrategyError, type StrategyOptions } from './registry.js'
import { selective } from './sampler.js'
import { loadSource, openSource, source } from './source.js'
import { loadSurw, surw } from './surw.js'

export { StrategyError }

/** The one list of strategies: command line, help, reports and contract tests read it. */
export const strategies: readonly StrategyEntry[] = [
  {
    name: 'dfs',
    summary: 'every execution, no reduction',
    promise: 'all',
    everyPrefix: true,
    ordered: true,
    anyMemoryModel: 'always',
    page: 'depth-first.md',
    create: depthFirst,
    load: loadDepthFirst,
    open: openDepthFirst,
  },
  {
    name: 'dpor',
    summary: 'dynamic partial-order reduction with backtrack and sleep sets',
    argument: 'no-sleep: without sleep sets',
    promise: 'all',
    page: 'dpor.md',
    create: dpor,
    load: loadDpor,
    open: openDpor,
  },
  {
    name: 'source',
    summary: 'partial-order reduction with source sets and sleep sets',
    promise: 'all',
    page: 'source.md',
    create: source,
    load: loadSource,
    open: openSource,
  },
  {
    name: 'optimal',
    summary: 'one execution per happens-before class, with wakeup trees',
    promise: 'all',
    page: 'optimal.md',
    create: optimal,
    load: loadOptimal,
    open: openOptimal,
  },
  {
    name: 'graphs',
    summary:
      'one execution per execution graph (who reads from whom, and the order of writes), for weak memory models',
    argument:
      'or-dfs: prefixes instead where a program turns out to do what it knows nothing of; prefixes: depth first, each ' +
      'beginning of a graph once, for any program',
    promise: 'all',
    anyMemoryModel: 'always',
    page: 'graphs.md',
    create: graphsByArgument,
    load: loadGraphsByArgument,
    divides: divideGraphs,
  },
  {
    name: 'icb',
    summary: 'at most 0, 1, 2, … preemptions (--bound N stops there), with bounded partial-order reduction',
    promise: 'bounded',
    bounds: 'preemption',
    page: 'icb.md',
    create: icb,
    load: loadIcb,
    open: openIcb,
  },
  {
    name: 'delay',
    summary: 'at most 0, 1, 2, … delays (--bound N stops there) of a round-robin scheduler',
    promise: 'bounded',
    bounds: 'delay',
    everyPrefix: true,
    anyMemoryModel: 'always',
    page: 'delay.md',
    create: delay,
    load: loadDelay,
  },
  {
    name: 'best-first',
    summary:
      'the most promising execution next, over partial-order reduction or within --bound N preemptions',
    argument: priorityHelp,
    promise: 'all',
    bounds: 'preemption',
    options: bestFirstOptions,
    statistics: treeStatistics,
    anyMemoryModel: 'bounded',
    page: 'best-first.md',
    create: (context) => bestFirst(context),
    load: (context, saved) => loadBestFirst(context, saved),
  },
  {
    name: 'random',
    summary: 'random walk: any enabled thread, all equally likely',
    promise: 'sample',
    page: 'random-walk.md',
    ...selective({ create: randomWalk, load: randomWalk }),
  },
  {
    name: 'pct',
    summary: 'random thread priorities, lowered at d - 1 random steps',
    argument: 'd (3 if left out), the length of executions (learnt if left out), distinct: as in 3 or 3,100',
    promise: 'sample',
    page: 'pct.md',
    ...selective({ create: pct, load: loadPct }),
  },
  {
    name: 'pctwm',
    summary: 'pct for weak memory models: loads see old values, but for d random ones',
    argument:
      'd (2 if left out), how many of the newest writes those may see (2 if left out): as in 2 or 2,3',
    promise: 'sample',
    page: 'pctwm.md',
    create: pctwm,
    load: loadPctwm,
  },
  {
    name: 'rapos',
    summary: 'random partial-order sampling: random batches of operations that do not race',
    promise: 'sample',
    page: 'rapos.md',
    ...selective({ create: rapos, load: rapos }),
  },
  {
    name: 'pos',
    summary: 'partial-order sampling: random priorities, drawn anew for operations that race',
    argument: 'strict: operations on one object race even if they commute',
    promise: 'sample',
    page: 'pos.md',
    statistics: hitBoundStatistics,
    ...selective({ create: pos, load: pos }),
  },
  {
    name: 'basic-pos',
    summary: 'partial-order sampling without new priorities for racing operations',
    promise: 'sample',
    page: 'pos.md',
    ...selective({ create: basicPos, load: basicPos }),
  },
  {
    name: 'surw',
    summary:
      'random walk weighted by the operations threads have left, as learnt: interleavings equally likely',
    argument: 'object: only operations on one object count, another one each time',
    promise: 'sample',
    page: 'surw.md',
    ...selective({ create: surw, load: loadSurw }),
  },
  {
    name: 'mix',
    summary: 'pos, surw, pct at depths 2 to 5 and random, those more often that show something new',
    promise: 'sample',
    page: 'mix.md',
    ...selective({ create: mix, load: loadMix }),
  },
]

/** Adds a strategy from outside; the function returned takes it away again. */
export function addStrategy(entry: StrategyEntry): () => void {
  return addTo(strategies as StrategyEntry[], entry)
}

export function findStrategy(spec: string): { entry: StrategyEntry; argument: string } {
  const [name, ...rest] = spec.split(':')
  const argument = rest.join(':')
  const entry = strategies.find((e) => e.name === name)
  if (!entry) {
    throw new StrategyError(
      `unknown strategy "${name}"; known are ${strategies.map((e) => e.name).join(', ')}`,
    )
  }
  if (argument !== '' && !entry.argument) {
    throw new StrategyError(`strategy "${name}" takes no argument; write just ${name}`)
  }
  return { entry, argument }
}

const same = (index: number) => index

/** Makes a strategy by name, with arguments after a colon: `pct:3`. */
export function createStrategy(
  spec: string,
  options: Pick<StrategyContext, 'machine'> &
    Partial<Pick<StrategyContext, 'order' | 'bound' | 'only' | 'options'>> & { seed?: number },
): Strategy {
  const { entry, argument } = findStrategy(spec)
  const strategy = entry.create({
    machine: options.machine,
    random: new Random(options.seed ?? 1),
    order: options.order ?? 'stay',
    bound: options.bound,
    only: options.only,
    options: options.options,
    argument,
    threadHere: same,
    locationHere: same,
  })
  checkMemoryModel(entry, options, strategies)
  return strategy
}

/** A part of a search, from its beginning. */
export function openPart(
  spec: string,
  start: PartStart,
  context: Omit<StrategyContext, 'random' | 'argument'> & { seed?: number },
): Strategy & Divisible {
  const { entry, argument } = findStrategy(spec)
  checkMemoryModel(entry, context, strategies)
  if (!entry.open) throw new StrategyError(`${spec} cannot be divided`)
  return entry.open({ ...context, argument, random: new Random(context.seed ?? 1) }, start)
}

/** Reads back what `Strategy.save` wrote. */
export function loadStrategy(
  spec: string,
  saved: Saved,
  context: Omit<StrategyContext, 'random' | 'argument'>,
): Strategy {
  const { entry, argument } = findStrategy(spec)
  checkMemoryModel(entry, context, strategies)
  const random = Array.isArray(saved.random) ? Random.load(saved.random as number[]) : new Random(1)
  const full: StrategyContext = { ...context, argument, random }
  return entry.load ? entry.load(full, saved) : entry.create(full)
}

/** Options as the strategy takes them: files that they name are read. */
export async function loadOptions(spec: string, given: StrategyOptions): Promise<StrategyOptions> {
  const loaded: Record<string, unknown> = { ...given }
  for (const option of findStrategy(spec).entry.options ?? []) {
    const name = optionName(option)
    if (option.load && loaded[name] !== undefined) loaded[name] = await option.load(loaded[name])
  }
  return loaded
}

/** `priorities` for `--priorities <module>`. */
export function optionName({ flags }: { readonly flags: string }): string {
  const [, long] = /--([\w-]+)/.exec(flags) ?? []
  return long.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
