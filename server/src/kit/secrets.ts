import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { SHARDS } from './ids.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Also usable by secret scanners. */
export const API_KEY_PATTERN = /^lw_(live|test)_([0-9A-Za-z]{3})([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

/**
 * An API key: mode, the agent's shard, 256 random bits, and a checksum that lets a mistyped or invented key be refused
 * without a database query.
 */
export function mintApiKey(mode: 'live' | 'test', shard: number): string {
  const body = base62(BigInt(shard), 3) + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)
  return `lw_${mode}_${body}${checksum(mode, body)}`
}

/** The logical shard of an agent, from its key. */
export const shardOfApiKey = (key: string): number => shardFrom(API_KEY_PATTERN.exec(key)?.[2])

export function isWellFormedApiKey(key: string): boolean {
  const match = API_KEY_PATTERN.exec(key)
  return match !== null && match[4] === checksum(match[1]!, match[2]! + match[3]!)
}

/**
 * The token of an emailed link: its owner's shard, then 240 random bits. We store only the hash, so the token itself
 * must say which shard has it.
 */
export const mintLinkToken = (shard: number): string =>
  base62(BigInt(shard), 3) + randomBytes(30).toString('base64url')

/** The logical shard of a link's owner. Anybody can send any text as a token. */
export const shardOfLinkToken = (token: string): number =>
  shardFrom(/^[0-9A-Za-z]{3}/.exec(token)?.[0])

export const sha256 = (text: string) => hash('sha256', text, 'hex')

/** A Standard Webhooks secret. */
export const mintWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/**
 * Encrypts a text with a passphrase. A stored registration response contains an API key; it is decrypted with the
 * Idempotency-Key that the client repeats, of which we store only a hash.
 */
export function seal(text: string, passphrase: string): string {
  const salt = randomBytes(16)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(passphrase, salt), Buffer.alloc(12))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([salt, cipher.getAuthTag(), sealed]).toString('base64')
}

export function unseal(sealed: string, passphrase: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const key = sealingKey(passphrase, bytes.subarray(0, 16))
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.alloc(12))
  decipher.setAuthTag(bytes.subarray(16, 32))
  return Buffer.concat([decipher.update(bytes.subarray(32)), decipher.final()]).toString('utf8')
}

// The salt makes each key single-use, which is why a constant nonce is safe.
const sealingKey = (passphrase: string, salt: Buffer) =>
  Buffer.from(hkdfSync('sha256', passphrase, salt, 'legwork sealed answer', 32))

/**
 * Encrypts one of our secrets that must be read again, with the first of our keys. `owner` is authenticated data:
 * copied to another row, the secret can't be decrypted. Without keys, as in development, it is stored in plain text.
 */
export function keepSecret(
  secret: string,
  { keys, owner }: { keys: readonly string[]; owner: string },
): string {
  const [key] = keys
  if (key === undefined) return secret
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce)
  cipher.setAAD(Buffer.from(owner))
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  const bytes = Buffer.concat([nonce, cipher.getAuthTag(), sealed])
  return keptPrefix({ keys }) + bytes.toString('base64')
}

export function readSecret(
  kept: string,
  { keys, owner }: { keys: readonly string[]; owner: string },
): string {
  if (!kept.startsWith('sealed_')) return kept
  const [, name, text] = kept.split('_', 3)
  const key = keys.find((one) => nameOf(one) === name)
  if (key === undefined)
    throw new Error(`a secret is sealed with the key ${name}, which is not configured`)
  const bytes = Buffer.from(text!, 'base64')
  const decipher = createDecipheriv(
    'aes-256-gcm',
    Buffer.from(key, 'base64'),
    bytes.subarray(0, 12),
  )
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

/** The prefix of a secret encrypted with the current key; empty if there are no keys. */
export const keptPrefix = ({ keys }: { keys: readonly string[] }) =>
  keys[0] === undefined ? '' : `sealed_${nameOf(keys[0])}_`

/** Identifies a key without revealing anything about it. */
export const nameOf = (key: string) => sha256(`legwork key ${key}`).slice(0, 8)

const checksum = (mode: string, body: string) => base62(BigInt(crc32(`lw_${mode}_${body}`)), 6)

/**
 * A logical shard for what belongs to nobody, such as an unknown email: always the same. For an email, this is like the
 * shard of a known one, so that response times don't tell them apart.
 */
export const shardOfUnknown = (text: string): number =>
  Number.parseInt(sha256(text.toLowerCase()).slice(0, 3), 16)

/** An invented key or token may name a shard that can't exist. It is looked up in the first one, and not found. */
function shardFrom(letters = ''): number {
  let shard = 0
  for (const letter of letters) shard = shard * 62 + BASE62.indexOf(letter)
  return shard < SHARDS ? shard : 0
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62[Number(rest % 62n)] + text
  return text
}
