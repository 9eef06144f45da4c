/**
 * A device with passkeys, as a browser shows it to a page: it makes keys and signs challenges. Tests of attacks let it
 * lie about the page, the site, the person's check and its counter.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_KEY = 0x40

interface Options {
  challenge: string
  rp?: { id: string }
  rpId?: string
  user?: { id: string }
}

interface Lies {
  /** Another page than the desk's. */
  origin?: string
  /** Another site than the challenge asks for. */
  rpId?: string
  /** The authenticator does not check who uses the device. */
  isUnverified?: boolean
  counter?: number
  userHandle?: string
  challenge?: string
}

interface Key {
  id: string
  privateKey: KeyObject
  userHandle: string
  counter: number
}

export type Authenticator = ReturnType<typeof openAuthenticator>

export function openAuthenticator(origin: string) {
  const keys: Key[] = []
  const clientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))

  return {
    /** Answers `begin` of a registration. */
    create(asked: unknown, lies: Lies = {}) {
      const options = asked as Options
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const id = randomBytes(32)
      const { x, y } = publicKey.export({ format: 'jwk' })
      // COSE: an elliptic key (2) for ES256 (-7) on the curve P-256 (1).
      const cose = cbor(
        new Map<number, number | Buffer>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x!, 'base64url')],
          [-3, Buffer.from(y!, 'base64url')],
        ]),
      )
      const key: Key = {
        id: id.toString('base64url'),
        privateKey,
        userHandle: options.user!.id,
        counter: 0,
      }
      keys.push(key)
      const authData = Buffer.concat([
        dataOf(lies.rpId ?? options.rp!.id, HAS_KEY, key, lies),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cose,
      ])
      const attestationObject = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      const made = clientData(
        'webauthn.create',
        lies.challenge ?? options.challenge,
        lies.origin ?? origin,
      )
      return {
        id: key.id,
        rawId: key.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: made.toString('base64url'),
          attestationObject: attestationObject.toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    /** Answers `begin` of a sign-in with the newest key, or with that of another device. */
    get(asked: unknown, lies: Lies = {}, key = keys.at(-1)!) {
      const options = asked as Options
      key.counter += 1
      const authData = dataOf(lies.rpId ?? options.rpId!, 0, key, lies)
      const signed = clientData(
        'webauthn.get',
        lies.challenge ?? options.challenge,
        lies.origin ?? origin,
      )
      const digest = createHash('sha256').update(signed).digest()
      return {
        id: key.id,
        rawId: key.id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: signed.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', Buffer.concat([authData, digest]), key.privateKey).toString(
            'base64url',
          ),
          userHandle: lies.userHandle ?? key.userHandle,
        },
      }
    },
  }
}

function dataOf(rpId: string, flags: number, key: Key, { isUnverified, counter }: Lies): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter ?? key.counter)
  const checked = isUnverified ? 0 : USER_VERIFIED
  return Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([flags | USER_PRESENT | checked]),
    count,
  ])
}

/** Encodes the few kinds of values that a passkey needs (RFC 8949). */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([name, held]) => [cbor(name), cbor(held)]),
  ])
}

function head(type: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(type << 5) | size])
  return size < 256
    ? Buffer.from([(type << 5) | 24, size])
    : Buffer.from([(type << 5) | 25, size >> 8, size & 255])
}
