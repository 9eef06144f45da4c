/** Reads a line of text as spans: links, phone numbers, emphasis, and the blanks of a script. Pure rules. */

export interface Span {
  kind: 'text' | 'strong' | 'link' | 'phone' | 'blank' | 'pause'
  text: string
  /** The address of a link. */
  href?: string
}

const LINK = String.raw`\[[^\[\]\n]{1,80}\]\(https?:\/\/[^\s()]{1,2000}\)|https?:\/\/[^\s<>"“”«»]{1,2000}`
const PHONE = String.raw`(?<![\w+])\+\d[\d ().\/-]{6,20}\d(?!\d)`
const EMPHASIS =
  String.raw`\*\*[^*\n]{1,300}\*\*|__[^_\n]{1,300}__|\x60[^\x60\n]{1,300}\x60|` +
  String.raw`(?<![\w*])\*[^\s*][^*\n]{0,200}\*(?![\w*])`
const BLANK = String.raw`\[[^\[\]\n]{1,60}\]|\{[^{}\n]{1,60}\}|_{3,40}`
/** A stage direction, in the words of the languages of the app. */
const PAUSE = /^(?:short )?(?:pause|wait|pausa|espera|aguarde|attendre|attendez|warte)/i
const SPANS = new RegExp(`${LINK}|${PHONE}|${EMPHASIS}`, 'gi')
const SCRIPT_SPANS = new RegExp(`${LINK}|${PHONE}|${EMPHASIS}|${BLANK}`, 'gi')

/** `isScript`: text in brackets is something to fill in or a stage direction, such as `[name]` or `[pause]`. */
export function readSpans(text: string, { isScript = false } = {}): Span[] {
  const spans: Span[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(isScript ? SCRIPT_SPANS : SPANS)) {
    const { length, ...span } = spanOf(found)
    if (index > from) spans.push({ kind: 'text', text: text.slice(from, index) })
    spans.push(span)
    from = index + length
  }
  if (from < text.length) spans.push({ kind: 'text', text: text.slice(from) })
  return spans
}

function spanOf(found: string): Span & { length: number } {
  const { length } = found
  const [first] = found
  if (first === '+') return { kind: 'phone', text: found, length }
  if (first === '*' || first === '`' || found.startsWith('__'))
    if (!/^_+$/.test(found)) return { kind: 'strong', text: withoutMarks(found), length }
  const labelled = /^\[([^\]]*)\]\((.*)\)$/s.exec(found)
  if (labelled !== null) return { ...linkTo(labelled[2]!, labelled[1]!), length }
  if (!/^https?:/i.test(found)) {
    const inner = found.replace(/^[[{]|[\]}]$/g, '')
    return { kind: PAUSE.test(inner) ? 'pause' : 'blank', text: inner, length }
  }
  // A period or bracket after an address belongs to the sentence.
  const url = found.replace(/[.,;:!?)\]}'’]{1,5}$/, '')
  return { ...linkTo(url), length: url.length }
}

const withoutMarks = (found: string) => found.replace(/^(?:\*\*|__|\*|`)|(?:\*\*|__|\*|`)$/g, '')

/** Shows the real host of every link, since its label or a user name in the address may pretend another one. */
function linkTo(url: string, label?: string): Span {
  const shown = shownAddress(url)
  if (shown === null) return { kind: 'text', text: label ?? url }
  const isNamed = label !== undefined && !label.includes('.')
  return { kind: 'link', href: shown.href, text: isNamed ? `${label} (${shown.host})` : shown.text }
}

const SHOWN_MAX = 42

/** A web address with the text to show for it: its host and the beginning of its path. Null if it is none. */
export function shownAddress(url: string): { href: string; host: string; text: string } | null {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null
  const { href, host, pathname, search } = new URL(url)
  const name = host.replace(/^www\./, '')
  const whole = `${name}${pathname === '/' ? '' : pathname}${search}`
  const text =
    whole.length <= SHOWN_MAX ? whole : `${whole.slice(0, Math.max(name.length, SHOWN_MAX))}…`
  return { href, host: name, text }
}
