/** `#line 7 "parser.y"`, or as preprocessors write it: `# 7 "parser.y" 1 3`. */
const MARKER = /^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)[ \t]+"((?:[^"\\\n]|\\.)*)"[^\n]*$/

/** Files that the markers of a source name: what it was generated from. */
export function markedNames(text: string): Set<string> {
  const names = new Set<string>()
  for (const line of text.split('\n')) {
    const [, , name] = MARKER.exec(line) ?? []
    if (name !== undefined) names.add(name)
  }
  return names
}

/**
 * The text with its line markers changed: to the path that `pathOf` gives, or, for a file that is not there, to the place
 * in this very text. Nobody could look at the others.
 */
export function relocateMarkers(
  text: string,
  path: string,
  pathOf: (name: string) => string | undefined,
): string {
  return text
    .split('\n')
    .map((line, i) => {
      const [, number, name] = MARKER.exec(line) ?? []
      if (name === undefined) return line
      const there = pathOf(name)
      return there === undefined ? `#line ${i + 2} "${path}"` : `#line ${number} "${there}"`
    })
    .join('\n')
}
