import type { LoadedProgram, Recipe } from '../frontends/front-end.js'
import type { Machine } from '../machine/machine.js'
import { type Platform, type PlatformKey, platformScope, usualPlatform } from '../machine/platform.js'

/** Runs what comes next on another platform, as far as given; the function returned goes back. */
export function switchPlatform(machine: Machine, changes: Partial<Platform> | undefined): () => void {
  const { platform } = machine
  if (changes === undefined || platform === undefined) return () => {}
  const { settings } = platform
  platform.use(changes)
  return () => platform.use(settings)
}

/** Whether a setting is as usual because nobody asked for it, and can be another. */
export function isOpen(
  { program: { machine }, recipe }: { readonly program: LoadedProgram; readonly recipe: Recipe },
  changes: Partial<Platform> = {},
): boolean {
  return (Object.keys(changes) as PlatformKey[]).every(
    (key) =>
      recipe[key] === undefined &&
      machine.platform?.settings[key] === usualPlatform[key] &&
      machine.platform.fixed?.includes(key) !== true,
  )
}

/** A search, and what was different about its platform. */
interface Sampled {
  readonly platform?: Partial<Platform> | undefined
  readonly executions: number
}

/** What a guarantee has to say about its scope. Samples on other platforms widen it a little. */
export function wholeScope({ machine, scope }: LoadedProgram, searches: readonly Sampled[]): string[] {
  const sampled: Partial<Record<PlatformKey, number>> = {}
  for (const { platform = {}, executions } of searches) {
    for (const key of Object.keys(platform) as PlatformKey[]) sampled[key] = (sampled[key] ?? 0) + executions
  }
  return [...scope, ...platformScope(machine.platform?.settings ?? {}, sampled)]
}
