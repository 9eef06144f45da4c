/**
 * Which addresses a client may send a person back to. A code arrives there, so the address must be one that only the
 * client can read: https, or this machine (RFC 8252).
 */
const LENGTH_MAX = 500
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

/** Undefined if the address is not allowed. Every notation that parsers read differently is refused. */
export function readRedirectUri(text: string): URL | undefined {
  if (text.length > LENGTH_MAX || !/^[\x21-\x7E]+$/.test(text) || /[#\\]/.test(text))
    return undefined
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  return url.protocol === 'https:' || isLoopback(url) ? url : undefined
}

/** The same text as registered. On this machine any port counts, because programs take the one that is free. */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  const url = readRedirectUri(asked)
  if (url === undefined) return false
  return registered.some(
    (one) => one === asked || (isLoopback(url) && withoutPort(one) === withoutPort(asked)),
  )
}

const isLoopback = ({ protocol, hostname }: URL) =>
  protocol === 'http:' && LOOPBACK.includes(hostname)

function withoutPort(text: string): string {
  const url = new URL(text)
  url.port = ''
  return url.href
}
