/** HTML as a value: everything inserted into an `html` template is escaped, unless it is HTML itself. */

/** Text that is not escaped. Created by `html`; code that constructs it directly must guarantee that it is safe. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What a template accepts; `false`, `null` and `undefined` render nothing, so `isOpen && html…` works. */
export type Piece = Html | string | number | false | null | undefined | readonly Piece[]

export function html(texts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(
    texts.map((text, at) => text + (at < pieces.length ? render(pieces[at]) : '')).join(''),
  )
}

/** Lets long names break after a dot, slash or similar character, or before a bracket. */
export function breakable(text: string): Html {
  return html`${text.split(/(?<=[._/@:-])(?=\w)|(?=\[)/).map((part, at) => html`${at > 0 && html`<wbr>`}${part}`)}`
}

const ESCAPED: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function render(piece: Piece): string {
  if (piece === false || piece === null || piece === undefined) return ''
  if (piece instanceof Html) return piece.toString()
  if (typeof piece === 'object') return piece.map(render).join('')
  return String(piece).replaceAll(/[&<>"']/g, (found) => ESCAPED[found]!)
}
