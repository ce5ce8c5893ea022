import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type ArchiveMember, archiveMembers } from '../toolchain/archive.js'
import { fileAt, putFile, runTool, type Tree } from '../toolchain/clang.js'
import { BuildError } from '../toolchain/errors.js'
import { expandFiles } from './arguments.js'

export interface ArchiverOptions {
  readonly cwd: string
  readonly out: (text: string) => void
}

/** Makes, changes and lists archives of objects, as `ar` does. */
export async function driveArchiver(argv: readonly string[], { cwd, out }: ArchiverOptions): Promise<void> {
  const args = expandFiles(argv, cwd)
  if (args.includes('--version') || args.includes('-V')) {
    out('LLVM ar (Faultline)\n')
    return
  }
  const [operation = '', archive, ...members] = args.filter((arg) => !/^--(?:format|plugin|target)/.test(arg))
  const letters = operation.replace(/^-/, '')
  if (archive === undefined || !/^[a-zA-Z]+$/.test(letters)) {
    throw new BuildError('ar: the form is ar rcs LIBRARY.a OBJECT.o…')
  }
  if (!/[rqtds]/.test(letters) || /[xmpT]/.test(letters)) {
    throw new BuildError(
      `ar ${letters}: archives can be made (rcs), added to (r, q), cut (d) and listed (t) here`,
    )
  }
  const before = await readFile(path.resolve(cwd, archive)).catch(() => undefined)
  const old = before ? archiveMembers(Uint8Array.from(before), archive) : []
  if (letters.includes('t')) {
    for (const { name } of old) out(`${name}\n`)
    return
  }
  const given = letters.includes('d')
    ? []
    : await Promise.all(members.map((member) => readMember(member, cwd)))
  const gone = new Set(letters.includes('d') ? members.map((member) => path.basename(member)) : [])
  const kept = old.filter(({ name }) => !gone.has(name))
  const all = letters.includes('q') ? [...kept, ...given] : merged(kept, given)
  await writeFile(path.resolve(cwd, archive), await archived(all))
}

async function readMember(member: string, cwd: string): Promise<ArchiveMember> {
  const content = await readFile(path.resolve(cwd, member)).catch(() => {
    throw new BuildError(`ar: ${member}: no such file`)
  })
  return { name: path.basename(member), content: Uint8Array.from(content) }
}

/** New members take the place of old ones of their name. */
function merged(old: readonly ArchiveMember[], given: readonly ArchiveMember[]): ArchiveMember[] {
  const news = new Map(given.map((member) => [member.name, member]))
  const names = new Set(old.map(({ name }) => name))
  return [
    ...old.map((member) => news.get(member.name) ?? member),
    ...given.filter(({ name }) => !names.has(name)),
  ]
}

/** An archive with an index, which is always made anew. */
async function archived(members: readonly ArchiveMember[]): Promise<Uint8Array> {
  const tree: Tree = {}
  // Members are known by their last name, which may occur several times.
  const places = members.map(({ name, content }, i) => {
    putFile(tree, `/members/${i}/${name}`, content)
    return `/members/${i}/${name}`
  })
  const { ok, files, stderr } = await runTool('ar', ['qcs', '/archive.a', ...places], tree)
  const made = ok ? fileAt(files, '/archive.a') : undefined
  if (made === undefined) throw new BuildError(`ar: ${stderr.trimEnd()}`)
  return made
}
