/** HTML as a value: whatever is put into an `html` template is escaped, unless it is HTML itself. */

/** Text that is shown as it is. `html` makes it; whoever makes it by hand vouches for every character. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** What a template takes; `false`, `null` and `undefined` leave no trace, so that `isOpen && html…` reads well. */
export type Piece = Html | string | number | false | null | undefined | readonly Piece[]

export function html(texts: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(
    texts.map((text, at) => text + (at < pieces.length ? render(pieces[at]) : '')).join(''),
  )
}

/** Long names break where a reader would break them: after a dot, a stroke or a bracket. */
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
