/** Around the failure in an exported test; it lies in a comment of C. */
const opening = '/* FAULTLINE SCHEDULE\n'
const closing = '\n*/'

/** The failure in the text of an exported test; any other text as it is. */
export function failureIn(text: string): string {
  const start = text.lastIndexOf(opening)
  if (start < 0) return text
  const end = text.indexOf(closing, start)
  return text.slice(start + opening.length, end < 0 ? undefined : end)
}

export function isTestText(text: string): boolean {
  return text.includes(opening)
}

/** JSON may be written so that it neither ends a comment nor seems to begin one. */
export function asComment(json: string): string {
  return opening + json.replaceAll('*/', '*\\/').replaceAll('/*', '/\\u002a') + closing
}
