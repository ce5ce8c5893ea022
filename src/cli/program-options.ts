import { type Command, InvalidArgumentError, Option } from 'commander'
import type { FrontEnd, ProgramOption, Recipe } from '../frontends/front-end.js'
import { frontEnds } from '../frontends/registry.js'
import { type Platform, pickPlatform, platformKeys } from '../machine/platform.js'
import { abortCodesIn } from './transaction-options.js'

/** Settings of a recipe besides its files. */
export type ProgramSettings = Omit<Recipe, 'files'>

/** By key, each once: front ends may share options. */
function knownOptions(): Map<string, ProgramOption> {
  return new Map(frontEnds.flatMap(({ options }) => options).map((option) => [option.key, option]))
}

/** The options that front ends declare, grouped by the first that takes them. */
export function addProgramOptions(command: Command): void {
  const added = new Set<ProgramOption>()
  for (const { programs, options } of frontEnds) {
    command.optionsGroup(`For ${programs}:`)
    for (const option of options) {
      if (option.flags === undefined || added.has(option)) continue
      command.addOption(optionFor(option, option.flags))
      added.add(option)
    }
  }
}

function optionFor({ summary, holds }: ProgramOption, flags: string): Option {
  const option = new Option(flags, summary)
  if (holds === 'list') option.argParser(collect)
  if (holds === 'variables') option.argParser(variable)
  return option
}

/** What the command line says about the program besides its files; `flags` as the command read them. */
export function settingsIn(
  args: readonly string[],
  flags: Readonly<Record<string, unknown>> & Partial<Platform>,
): ProgramSettings {
  const settings: Record<string, unknown> = { ...pickPlatform(flags) }
  const codes = abortCodesIn(flags)
  if (codes !== undefined) settings.abortCodes = codes
  for (const { key, flags: written } of knownOptions().values()) {
    const value = written === undefined ? (args.length > 0 ? args : undefined) : flags[attributeOf(written)]
    if (value !== undefined) settings[key] = value
  }
  return settings
}

/** Where commander puts the value of an option. */
function attributeOf(flags: string): string {
  return new Option(flags).attributeName()
}

/** The options that set these, as people write them: `-I, --cflag`. */
export function writtenOptions(settings: ProgramSettings): string {
  const known = knownOptions()
  return Object.keys(settings)
    .map((key) => {
      const option = known.get(key)
      if (option === undefined) return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
      return option.flags === undefined ? 'arguments after --' : option.flags.split(/[ ,]/)[0]
    })
    .join(', ')
}

/** Those among some settings that mean nothing to a front end. */
export function unusedBy(frontEnd: FrontEnd, settings: ProgramSettings): ProgramSettings {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !takes(frontEnd, key)))
}

function takes({ options, platform }: FrontEnd, key: string): boolean {
  return platformKeys.some((k) => k === key)
    ? platform.some((k) => k === key)
    : options.some((option) => option.key === key)
}

/** The programs to which all of these settings mean something. */
export function takersOf(settings: ProgramSettings): string {
  const takers = frontEnds.filter((entry) => Object.keys(unusedBy(entry, settings)).length === 0)
  return takers.map(({ programs }) => programs).join(' and ')
}

export function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}

function variable(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined) throw new InvalidArgumentError('Write NAME=VALUE.')
  return { ...before, [name]: value }
}
