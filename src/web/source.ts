import { type BugData, element, type FileData, type StepData } from './steps.js'

const words = new Set(
  (
    'alignas auto bool break case catch char class const constexpr continue default delete do double else enum export extern false ' +
    'float for function goto if import inline int let long mutable namespace new nullptr operator private public return short ' +
    'signed sizeof static struct switch template this throw true try typedef typename union unsigned using var virtual void ' +
    'volatile while yield size_t uint32_t uint64_t int32_t int64_t pthread_t pthread_mutex_t pthread_cond_t'
  ).split(' '),
)

const token =
  /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(^\s*#\s*\w+)|([A-Za-z_]\w*)|(\d[\w.']*)/g

/** The source beside the table: the line of the step, and where the other threads are. */
export class SourceView {
  private readonly files: ReadonlyMap<string, FileData>
  private shown: string | null = null
  private lines: HTMLElement[] = []
  private marked: HTMLElement[] = []
  private readonly title = element('h3', {})
  private readonly code = element('div', {
    class: 'code',
    tabindex: '0',
    role: 'region',
    'aria-label': 'Source',
  })
  readonly root = element('section', { class: 'source' }, this.title, this.code)

  constructor(
    files: readonly FileData[],
    private readonly data: BugData,
  ) {
    this.files = new Map(files.map((file) => [file.file, file]))
  }

  /** `others` are the steps before which the other threads are stopped. */
  show(step: StepData, others: readonly StepData[]): void {
    const file = step.file === undefined ? undefined : this.files.get(step.file)
    this.root.hidden = file === undefined
    if (file === undefined) return
    if (this.shown !== file.file) this.open(file)
    for (const line of this.marked) {
      line.className = 'ln'
      line.querySelector('.who')?.remove()
    }
    this.marked = []
    for (const other of others) {
      if (other.file === file.file && other.line !== undefined) this.mark(other.line, other.thread, 'waits')
    }
    if (step.line === undefined) return
    const here = this.mark(step.line, step.thread, step.failed ? 'failed' : 'here')
    if (here) this.scrollTo(here)
  }

  private mark(line: number, thread: number, kind: string): HTMLElement | undefined {
    const at = this.lines[line - 1]
    if (at === undefined) return undefined
    at.classList.add(kind)
    if (kind !== 'waits') at.classList.add(`t${thread % 8}`)
    let who = at.querySelector('.who')
    if (who === null) at.append((who = element('span', { class: 'who' })))
    const name = this.data.threads[thread]
    who.append(element('span', { class: `t${thread % 8}` }, kind === 'waits' ? `next: ${name}` : name))
    this.marked.push(at)
    return at
  }

  /** Only the source scrolls, not the page. */
  private scrollTo(line: HTMLElement): void {
    const { code } = this
    const top = line.offsetTop
    const margin = 3 * line.offsetHeight
    if (top < code.scrollTop + margin || top > code.scrollTop + code.clientHeight - 2 * margin) {
      code.scrollTop = top - code.clientHeight / 2
    }
  }

  private open(file: FileData): void {
    this.shown = file.file
    this.title.replaceChildren(
      file.file,
      ' ',
      element('a', { href: `vscode://file${encodeURI(file.path)}`, class: 'open' }, 'open in VS Code'),
    )
    let isComment = false
    this.lines = file.lines.map((text, i) => {
      const body = element('span', { class: 'tx' })
      isComment = highlight(text, body, isComment)
      return element('div', { class: 'ln', 'data-n': String(i + 1) }, body)
    })
    this.code.replaceChildren(...this.lines)
  }
}

/** Writes a line with its colours; says whether it ends within a comment. */
function highlight(text: string, into: HTMLElement, isComment: boolean): boolean {
  let at = 0
  if (isComment) {
    const end = text.indexOf('*/')
    at = end < 0 ? text.length : end + 2
    into.append(element('i', {}, text.slice(0, at)))
    if (end < 0) return true
  }
  token.lastIndex = at
  let endsInside = false
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [whole, comment, string, directive, word] = found
    if (word !== undefined && !words.has(word)) continue
    into.append(text.slice(at, found.index))
    at = found.index + whole.length
    if (comment !== undefined) {
      into.append(element('i', {}, whole))
      endsInside = whole.startsWith('/*') && !(whole.length > 3 && whole.endsWith('*/'))
    } else if (string !== undefined) into.append(element('q', {}, whole))
    else into.append(element(directive !== undefined || word !== undefined ? 'b' : 'u', {}, whole))
  }
  into.append(text.slice(at) || (text === '' ? ' ' : ''))
  return endsInside
}
