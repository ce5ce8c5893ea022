// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with escape
const colourCodes = /\x1b\[[\d;]*m/g

/** Columns a text takes, colour codes apart. */
export function widthOf(text: string): number {
  return text.replace(colourCodes, '').length
}

/**
 * Breaks at spaces; a word longer than a line stays whole, so that paths can be copied. Lines after the first are
 * indented by `hanging` columns.
 */
export function wrap(text: string, width: number, hanging = 0): string[] {
  const lines: string[] = []
  const indent = ' '.repeat(hanging)
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const word of paragraph.split(' ')) {
      if (line.trim() === '') line += word
      else if (widthOf(line) + 1 + widthOf(word) <= width) line += ` ${word}`
      else {
        lines.push(line)
        line = indent + word
      }
    }
    lines.push(line)
  }
  return lines
}

/** Cuts to a width and marks the cut. */
export function shorten(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}

export function indented(columns: number): (line: string) => string {
  return (line) => (line === '' ? '' : ' '.repeat(columns) + line)
}
