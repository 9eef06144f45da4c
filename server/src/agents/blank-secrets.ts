/** Takes secrets out of what is kept for people to read: keys, tokens, passwords; and cuts what is long. */

const BLANK = '…'
const SECRET_NAME = /pass(?:word|phrase)|secret|token|api_?key|authorization|cookie|credential/i
const SECRETS = [
  // API keys, webhook secrets, JSON Web Tokens, keys of the payment processor.
  /\blw_(?:live|test)_\w+/g,
  /\bwhsec_[\w+/=-]+/g,
  /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g,
  /\b[rs]k_(?:live|test)_\w+/g,
]
/** Of these, how a value begins is worth more than what it is. */
const DATA_URL = /\bdata:([\w.+-]+\/[\w.+-]+)?[;,][^"'\s]{40,}/g
const QUERY_SECRET = /([?&](?:[\w-]*(?:token|key|secret|password|signature)[\w-]*)=)[^&#\s"]+/gi
/** The same in JSON that does not parse. */
const JSON_SECRET = new RegExp(`("[\\w-]*(?:${SECRET_NAME.source})[\\w-]*"\\s*:\\s*)"[^"]*"?`, 'gi')

/** JSON of a value, without the secrets in it. */
export function withoutSecrets(value: unknown): string {
  const json = JSON.stringify(value, (name, inner: unknown) => {
    if (typeof inner !== 'string') return inner
    return SECRET_NAME.test(name) ? BLANK : withoutSecretsIn(inner)
  })
  return json ?? ''
}

/** A text, without the secrets in it. */
export function withoutSecretsIn(text: string): string {
  return SECRETS.reduce((rest, secret) => rest.replaceAll(secret, blanked), text)
    .replaceAll(DATA_URL, (_, type: string | undefined) => `data:${type ?? ''}${BLANK}`)
    .replaceAll(QUERY_SECRET, `$1${BLANK}`)
    .replaceAll(JSON_SECRET, `$1"${BLANK}"`)
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
