/** Takes secrets out of what is kept for people to read: keys, tokens, passwords; and cuts what is long. */

const BLANK = '…'
/** Short ones only as a word of their own: a shipping has no pin. */
const SECRET_NAME = new RegExp(
  'pass(?:word|phrase)|secret|token|(?:api|private|access)_?key|authorization|cookie|credential|' +
    'card_?n(?:umber|o\\b)|(?:door|gate|entry|access|security)_?code|(?<![a-z])(?:pin|otp|cvc|cvv|iban)(?![a-z])',
  'i',
)
// What a pattern runs through is bounded, or begins at one place only: many false beginnings take no longer.
const SECRETS = [
  // API keys, webhook secrets, JSON Web Tokens, keys of the payment processor.
  /\blw_(?:live|test)_\w+/g,
  /\bwhsec_[\w+/=-]+/g,
  /(?<![\w-])eyJ[\w-]{0,4000}\.[\w-]+(?:\.[\w-]*)?/g,
  /\b[rs]k_(?:live|test)_\w+/g,
]
/** Of these, how a value begins is worth more than what it is. */
const DATA_URL = /\bdata:([\w.+-]+\/[\w.+-]+)?[;,][^"'\s]{40,}/g
const QUERY_SECRET =
  /([?&][\w-]{0,40}(?:token|key|secret|password|signature)[\w-]{0,40}=)[^&#\s"]+/gi
/** The same in JSON that does not parse: a text, a list or an object up to its first end, a number. */
const JSON_SECRET = new RegExp(
  `("[\\w-]{0,40}(?:${SECRET_NAME.source})[\\w-]{0,40}"\\s{0,40}:\\s{0,40})` +
    `(?:"[^"\\\\]*(?:\\\\[^][^"\\\\]*)*"?|[[{][^\\]}]*|\\d[^\\s,}\\]]*)`,
  'gi',
)
const CARD_NUMBER = /(?<![+\d])\d(?:[ -]?\d){12,18}(?!\d)/g
const SECRET_LENGTH_MIN = 6

/** JSON of a value, without the secrets in it. */
export function withoutSecrets(value: unknown): string {
  const json = JSON.stringify(value, (name, inner: unknown) => {
    if (inner === null || typeof inner === 'boolean') return inner
    if (SECRET_NAME.test(name)) return BLANK
    if (typeof inner === 'number') return isCardNumber(String(inner)) ? BLANK : inner
    return typeof inner === 'string' ? withoutSecretsIn(inner) : inner
  })
  return json ?? ''
}

/** A text, without the secrets in it. */
export function withoutSecretsIn(text: string): string {
  if (text.length < SECRET_LENGTH_MIN) return text
  return SECRETS.reduce((rest, secret) => rest.replaceAll(secret, blanked), text)
    .replaceAll(DATA_URL, (_, type: string | undefined) => `data:${type ?? ''}${BLANK}`)
    .replaceAll(QUERY_SECRET, `$1${BLANK}`)
    .replaceAll(JSON_SECRET, `$1"${BLANK}"`)
    .replaceAll(CARD_NUMBER, (digits) => (isCardNumber(digits) ? BLANK : digits))
}

/** By its check digit (Luhn): times and telephone numbers are as long, and of use to who reads this. */
function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, '')
  if (!/^\d{13,19}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** What kind of secret it was stays to be seen. */
const blanked = (secret: string) =>
  `${/^(?:[a-z]+_(?:live_|test_)?|eyJ)/.exec(secret)?.[0] ?? ''}${BLANK}`

/** At most so many bytes, as text that the database takes. */
export function cutText(text: string, bytesMax: number): string {
  const clean = text.replaceAll('\0', '').toWellFormed()
  const bytes = Buffer.from(clean)
  if (bytes.length <= bytesMax) return clean
  return `${bytes
    .subarray(0, bytesMax)
    .toString()
    .replace(/\uFFFD+$/, '')}${BLANK}`
}
