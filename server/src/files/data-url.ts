import { FileRefused } from './refused.ts'
import { type Kind, SEND_INSTEAD } from './sniff.ts'

const HEAD_MAX = 300
const NOT_A_FILE =
  'must be a base64 data URL, plain base64, or the upl_… id of an upload; files are not fetched from URLs'

/**
 * Decodes a file sent inside JSON: a data URL, or plain base64. Accepts the many variants that clients send: any media
 * type or none, extra parameters, line breaks and spaces, the URL-safe alphabet, missing padding. The declared type is
 * not trusted; `sniff` checks the bytes. Throws FileRefused.
 */
export function decodeInline(source: string, { kind, bytesMax }: { kind: Kind; bytesMax: number }) {
  const { type, encoded } = split(source.trim())
  const text = withoutBlanks(encoded)
  if ((text.length * 3) / 4 > bytesMax + 2) throw tooLarge(bytesMax)
  if (!isBase64(text)) throw new FileRefused(type === null ? NOT_A_FILE : 'is not valid base64')
  // Node accepts both base64 alphabets and missing padding.
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0) throw new FileRefused(`is empty: ${SEND_INSTEAD[kind]}`)
  if (bytes.length > bytesMax) throw tooLarge(bytesMax)
  return { type: type ?? UNKNOWN_TYPE, bytes }
}

const UNKNOWN_TYPE = 'application/octet-stream'

/** `type` is null for plain base64 without a `data:` prefix. */
function split(source: string): { type: string | null; encoded: string } {
  if (!/^data:/i.test(source)) {
    if (source === '') throw new FileRefused(NOT_A_FILE)
    return { type: null, encoded: source }
  }
  const comma = source.slice(0, HEAD_MAX).indexOf(',')
  const [type = '', ...parameters] = source
    .slice('data:'.length, Math.max('data:'.length, comma))
    .split(';')
    .map((part) => part.trim().toLowerCase())
  if (comma === -1 || !parameters.includes('base64')) throw new FileRefused(NOT_A_FILE)
  const isType = /^[a-z]+\/[a-z0-9.+-]{1,80}$/.test(type)
  return { type: isType ? type : UNKNOWN_TYPE, encoded: source.slice(comma + 1) }
}

/** Also decodes `+`, `/`, `=` and whitespace, which may be percent-encoded in a URL. */
const withoutBlanks = (encoded: string) =>
  encoded
    .replaceAll(/%(2b|2f|3d|0a|0d|20)/gi, (escape) => decodeURIComponent(escape))
    .replaceAll(/\s+/g, '')

function isBase64(text: string): boolean {
  const isWritten = /^[A-Za-z0-9+/_-]*={0,3}$/.test(text)
  return isWritten && text.replace(/=+$/, '').length % 4 !== 1
}

const tooLarge = (bytesMax: number) =>
  new FileRefused(`is larger than ${Math.floor(bytesMax / 1_048_576)} MB: send a smaller file`)
