/** Redacts keys, tokens and passwords in text that is stored for people to read, and truncates long text. */

const BLANK = '…'
/** Short names match only as whole words: `shipping` must not match `pin`. */
const SECRET_NAME = new RegExp(
  'pass(?:word|phrase)|secret|token|(?:api|private|access)_?key|authorization|cookie|credential|' +
    'card_?n(?:umber|o\\b)|(?:door|gate|entry|access|security)_?code|(?<![a-z])(?:pin|otp|cvc|cvv|iban)(?![a-z])',
  'i',
)
// Every pattern has a bounded repetition or only one possible start, so hostile input can't cause quadratic time.
const SECRETS = [
  // API keys, webhook secrets, JSON Web Tokens, Stripe keys.
  /\blw_(?:live|test)_\w+/g,
  /\bwhsec_[\w+/=-]+/g,
  /(?<![\w-])eyJ[\w-]{0,4000}\.[\w-]+(?:\.[\w-]*)?/g,
  /\b[rs]k_(?:live|test)_\w+/g,
]
/** For data URLs and query parameters the prefix stays readable; only the value is redacted. */
const DATA_URL = /\bdata:([\w.+-]+\/[\w.+-]+)?[;,][^"'\s]{40,}/g
const QUERY_SECRET =
  /([?&][\w-]{0,40}(?:token|key|secret|password|signature)[\w-]{0,40}=)[^&#\s"]+/gi
/** The same in JSON that does not parse: a string, a list or object up to its first closing bracket, or a number. */
const JSON_SECRET = new RegExp(
  `("[\\w-]{0,40}(?:${SECRET_NAME.source})[\\w-]{0,40}"\\s{0,40}:\\s{0,40})` +
    `(?:"[^"\\\\]*(?:\\\\[^][^"\\\\]*)*"?|[[{][^\\]}]*|\\d[^\\s,}\\]]*)`,
  'gi',
)
const CARD_NUMBER = /(?<![+\d])\d(?:[ -]?\d){12,18}(?!\d)/g
const SECRET_LENGTH_MIN = 6

/** Serializes a value as JSON, with its secrets redacted. */
export function withoutSecrets(value: unknown): string {
  const json = JSON.stringify(value, (name, inner: unknown) => {
    if (inner === null || typeof inner === 'boolean') return inner
    if (SECRET_NAME.test(name)) return BLANK
    if (typeof inner === 'number') return isCardNumber(String(inner)) ? BLANK : inner
    return typeof inner === 'string' ? withoutSecretsIn(inner) : inner
  })
  return json ?? ''
}

/** Redacts the secrets in a text. */
export function withoutSecretsIn(text: string): string {
  if (text.length < SECRET_LENGTH_MIN) return text
  return SECRETS.reduce((rest, secret) => rest.replaceAll(secret, blanked), text)
    .replaceAll(DATA_URL, (_, type: string | undefined) => `data:${type ?? ''}${BLANK}`)
    .replaceAll(QUERY_SECRET, `$1${BLANK}`)
    .replaceAll(JSON_SECRET, `$1"${BLANK}"`)
    .replaceAll(CARD_NUMBER, (digits) => (isCardNumber(digits) ? BLANK : digits))
}

/** Verifies the Luhn check digit: timestamps and phone numbers are as long, and useful to the reader. */
function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/[ -]/g, '')
  if (!/^\d{13,19}$/.test(digits)) return false
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Keeps the prefix, so that the reader sees which kind of secret it was. */
const blanked = (secret: string) =>
  `${/^(?:[a-z]+_(?:live_|test_)?|eyJ)/.exec(secret)?.[0] ?? ''}${BLANK}`

/** Truncates to `bytesMax` bytes of text that Postgres accepts: no NUL, no lone surrogates. */
export function cutText(text: string, bytesMax: number): string {
  const clean = text.replaceAll('\0', '').toWellFormed()
  const bytes = Buffer.from(clean)
  if (bytes.length <= bytesMax) return clean
  return `${bytes
    .subarray(0, bytesMax)
    .toString()
    .replace(/\uFFFD+$/, '')}${BLANK}`
}
