import { resolve } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import { isEvidence } from '../files/evidence.js'
import { UserError } from '../files/user-error.js'
import { version } from '../files/version.js'
import { frontEnds } from '../frontends/registry.js'
import { expandFiles } from '../frontends/wasm/driver/arguments.js'
import { reportWriters } from '../reports/write/index.js'
import { runCheck } from './check-command.js'
import { addCheckOptions, type CheckFlags } from './check-options.js'
import { adviceOnLibrary, spellOutAll } from './compiler-flags.js'
import { runDemo } from './demo-command.js'
import { runDoctor } from './doctor-command.js'
import { replayEvidence } from './evidence-command.js'
import { ExitCode, failureOf } from './exit.js'
import { type Io, processIo } from './io.js'
import { kitNames } from './kit/kit.js'
import { type KitFlags, runKit } from './kit-command.js'
import { budget } from './option-values.js'
import { collect } from './program-options.js'
import { runRaces } from './races-command.js'
import { addRacesOptions, type RacesFlags } from './races-options.js'
import { testOption } from './regression-test.js'
import { type ReplayFlags, runReplay } from './replay-command.js'
import { listStrategies } from './strategies-command.js'
import { tools } from './tools-command.js'

/** Runs the command and returns its exit code. Never throws. `argv` is what follows the name of the command. */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  const tool = Object.hasOwn(tools, argv[0] ?? '') ? tools[argv[0]] : undefined
  if (tool !== undefined) return tool.run(argv.slice(1), io).catch((error) => refuse(error, false, io))
  const end = argv.indexOf('--')
  const own = spellOutAll(expandFiles(end < 0 ? argv : argv.slice(0, end), io.directory))
  const programArgs = end < 0 ? [] : argv.slice(end + 1)
  const isJson = own.includes('--json')
  const library = own.map(adviceOnLibrary).find((advice) => advice !== undefined)
  if (library !== undefined) return refuse(new UserError(library), isJson, io)
  let code: number = ExitCode.nothingFound
  const command = commands(io, programArgs, (result) => {
    code = result
  })
  try {
    await command.parseAsync(own, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return ExitCode.nothingFound
      if (isJson) io.out(`${JSON.stringify({ error: error.message.replace(/^error: /, '') }, null, 2)}\n`)
      return ExitCode.wrongUse
    }
    return refuse(error, isJson, io)
  }
}

function refuse(error: unknown, isJson: boolean, io: Io): number {
  const failure = failureOf(error)
  io.err(`faultline: ${failure.message}\n`)
  if (isJson) io.out(`${JSON.stringify({ error: failure.message }, null, 2)}\n`)
  return failure.code
}

function commands(io: Io, programArgs: readonly string[], done: (code: number) => void): Command {
  const faultline = new Command('faultline')
    .description('Finds the thread interleaving that breaks a program, or shows that there is none.')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      getOutHelpWidth: () => io.width,
      getErrHelpWidth: () => io.width,
      outputError: (text, write) => write(text.replace(/^error: /, 'faultline: ')),
    })
    .showHelpAfterError('(see faultline --help, or --help behind the command)')
    .addHelpText(
      'after',
      `
Examples:
  faultline check counter.c                    find a bug, or verify
  faultline check counter.c --json             the same, as data for other programs
  faultline check queue.c -DN=3 -- input.txt   with a macro and an argument
  faultline races server.c                     what each data race does
  faultline replay .faultline/counter-….json   see a failure again

Exit codes: 0 nothing found, 1 bug, 2 wrong use or a program that does not build,
3 a fault in faultline itself.`,
    )

  const check = faultline
    .command('check')
    .description('run a program under every schedule that matters, or as many as the budget allows')
    .argument('[file...]', 'the program; with --resume it may be left out')
    .usage('[options] <file...> [-- program arguments]')
  const { rules } = addCheckOptions(check)
  check.addHelpText(
    'after',
    `\nPrograms:\n${frontEnds.map((f) => `  ${f.extensions.join(' ')}  ${f.summary}`).join('\n')}`,
  )
  check.action(async (files: string[], flags: CheckFlags) => {
    done(await runCheck(files, programArgs, { ...flags, rules }, check, io))
  })

  const races = faultline
    .command('races')
    .description('find the data races of a program and say what each of them does')
    .argument('<file...>', 'the program')
    .usage('[options] <file...> [-- program arguments]')
  addRacesOptions(races)
  races.action(async (files: string[], flags: RacesFlags) => {
    done(await runRaces(files, programArgs, flags, races, io))
  })

  const replay = faultline
    .command('replay')
    .description('show an execution again, from a file that check or races wrote')
    .argument('<file>', 'a file in .faultline/')
    .option('--json', 'print one JSON object instead of text')
    .option(
      '--rebuild',
      'if the program has changed, try the schedule as far as it fits and say what became of the bug',
    )
    .option('--step', 'walk through the interleaving, step by step')
    .option('--recipe', 'say, thread by thread, how to follow the schedule in a debugger')
    .option(testOption.flags, testOption.help)
  for (const { option } of reportWriters) {
    if (option?.flags.includes('<')) replay.option(option.flags, option.help)
  }
  replay.option('--compare', 'show both executions of a race side by side, from a file that races wrote')
  replay.action(async (file: string, flags: ReplayFlags) => {
    const isOfRace = isEvidence(resolve(io.directory, file))
    done(isOfRace ? await replayEvidence(file, flags, io) : await runReplay(file, flags, replay, io))
  })

  faultline
    .command('kit')
    .description('run the tests of a course on what was handed in: a thread library, for example')
    .argument('<kit>', `which: ${kitNames().join(', ')}, or a folder with a kit.json`)
    .argument('<folder...>', 'what was handed in; several are tested one after the other')
    .addOption(
      new Option('--budget <time>', 'time for all tests of one folder: 60s, 10m')
        .argParser(budget)
        .default(60, '60s'),
    )
    .option(
      '--out <folder>',
      'where reports are written; a run that was ended goes on from there',
      '.faultline/kit',
    )
    .option('-D, --define <macro>', 'define a macro, for example NAME=1', collect)
    .option('--test <name>', 'only this test; may be given several times', collect)
    .option('--workers <n>', 'number of worker threads')
    .action(async (kit: string, folders: string[], flags: KitFlags) =>
      done(await runKit(kit, folders, flags, main, io)),
    )

  faultline
    .command('demo')
    .description('find the bug of a small program, then verify its repaired twin')
    .action(async () => done(await runDemo(io, main)))

  faultline
    .command('doctor')
    .description('say what programs are built with here, and where results are kept')
    .action(async () => runDoctor(io))

  for (const [name, { summary }] of Object.entries(tools)) faultline.command(name).description(summary)

  faultline
    .command('strategies')
    .description('list the strategies that check can use')
    .action(() => listStrategies(io))
  return faultline
}
