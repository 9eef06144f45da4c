/**
 * The worker's session token: a JWT signed with Ed25519. The first key signs and every key verifies. To rotate, add a
 * new key in front and remove the old one a week later.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Config } from '../config.ts'
import type { TokenCaller } from '../kit/endpoint.ts'

const ISSUER = 'legwork'
const AUDIENCE = 'legwork-workers'
const TYPE = 'worker+jwt'
const LEEWAY_SECONDS = 30

/** The content of a verified token: the worker, the session version and, except in test mode, the session. */
export interface Session {
  workerId: string
  version: number
  sessionId?: string | undefined
}

export type Tokens = ReturnType<typeof openTokens>

const opened = new WeakMap<Config, Tokens>()

/** One instance for each config, so that signing and verifying use the same keys. */
export function tokensOf(config: Config): Tokens {
  const tokens = opened.get(config) ?? openTokens(config)
  opened.set(config, tokens)
  return tokens
}

function openTokens(config: Pick<Config, 'WORKER_TOKEN_KEYS' | 'WORKER_TOKEN_DAYS'>) {
  const seeds = config.WORKER_TOKEN_KEYS?.split(',').map((key) => Buffer.from(key.trim(), 'base64'))
  const ring = (seeds ?? [randomBytes(32)]).map(toKey)
  const signer = ring[0]!

  return {
    async sign({ workerId, version, sessionId }: Session, now: Date) {
      const issued = Math.floor(now.getTime() / 1000)
      const expires = issued + config.WORKER_TOKEN_DAYS * 86_400
      const token = await new SignJWT({
        sv: version,
        ...(sessionId === undefined ? {} : { sid: sessionId }),
      })
        .setProtectedHeader({ alg: 'EdDSA', typ: TYPE, kid: signer.id })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(workerId)
        .setIssuedAt(issued)
        .setExpirationTime(expires)
        .setJti(randomBytes(12).toString('base64url'))
        .sign(signer.private)
      return { token, expiresAt: new Date(expires * 1000) }
    },

    /** Returns undefined for anything but a valid, unexpired token of ours. */
    async read(token: string, now: Date): Promise<TokenCaller | undefined> {
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid }) => {
            const key = ring.find(({ id }) => id === kid)
            if (key === undefined) throw new errors.JWKSNoMatchingKey()
            return key.public
          },
          {
            algorithms: ['EdDSA'],
            typ: TYPE,
            issuer: ISSUER,
            audience: AUDIENCE,
            requiredClaims: ['sub', 'iat', 'exp', 'jti', 'sv'],
            // Reject tokens with a longer lifetime than any that we issue.
            maxTokenAge: config.WORKER_TOKEN_DAYS * 86_400,
            clockTolerance: LEEWAY_SECONDS,
            currentDate: now,
          },
        )
        const { sub: workerId, sv: version, sid: sessionId, exp } = payload
        if (typeof version !== 'number' || workerId === undefined || exp === undefined)
          return undefined
        if (sessionId !== undefined && typeof sessionId !== 'string') return undefined
        return { workerId, version, sessionId, expiresAt: new Date(exp * 1000) }
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },
  }
}

interface Key {
  id: string
  private: KeyObject
  public: KeyObject
}

function toKey(seed: Buffer): Key {
  if (seed.length !== 32) throw new Error('WORKER_TOKEN_KEYS: each key must be 32 bytes in base64')
  // RFC 8410: the PKCS #8 prefix of a 32-byte Ed25519 key.
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  const privateKey = createPrivateKey({
    key: Buffer.concat([prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(privateKey)
  const id = createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('base64url')
    .slice(0, 16)
  return { id, private: privateKey, public: publicKey }
}
