/** A piece of HTML that needs no escaping any more. */
export interface Markup {
  readonly html: string
}

type Piece = Markup | string | number | null | undefined | false | readonly Piece[]

/** Builds HTML: whatever is put in is escaped, unless it is markup already. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Markup {
  let text = parts[0]
  pieces.forEach((piece, i) => {
    text += written(piece) + parts[i + 1]
  })
  return { html: text }
}

function written(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'string') return escaped(piece)
  if (typeof piece === 'number') return String(piece)
  if (Array.isArray(piece)) return piece.map(written).join('')
  return (piece as Markup).html
}

/** Text in which names such as `o->next` are not broken in their middle. */
export function unbroken(text: string): Markup {
  const words = text.split(/(\S{1,30}->\S{1,30})/)
  return html`${words.map((word, i) => (i % 2 === 0 ? word : html`<span class="name">${word}</span>`))}`
}

export function escaped(text: string): string {
  return visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}

/**
 * Characters that would not be seen, or would change how others are shown: control characters, those that turn the
 * direction of writing, halves of pairs. Line ends and tabs stay.
 */
const unseen = /(?![\n\t])[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\p{Cs}]/gu

/** Text with a visible sign for every character that has none. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, (c) => {
    const code = c.codePointAt(0)!
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? '␡' : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}

/** A script, or data for one: the element ends at the first `</script`, whatever comes before. */
export function scriptElement(attributes: string, content: string): Markup {
  return { html: `<script${attributes}>${content}</script>` }
}

/** Data that can stand inside a script element. */
export function embedded(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
