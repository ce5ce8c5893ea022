import { styleText } from 'node:util'

/** Words by meaning; plain text when colours are off. */
export interface Paint {
  bad(text: string): string
  good(text: string): string
  warn(text: string): string
  strong(text: string): string
  faint(text: string): string
}

const plain = (text: string) => text

export const plainPaint: Paint = { bad: plain, good: plain, warn: plain, strong: plain, faint: plain }

export function painter(colour: boolean): Paint {
  if (!colour) return plainPaint
  const style = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    styleText(format, text, { validateStream: false } as never)
  return {
    bad: style(['bold', 'red']),
    good: style(['bold', 'green']),
    warn: style('yellow'),
    strong: style('bold'),
    faint: style('dim'),
  }
}
