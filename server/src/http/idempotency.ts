/**
 * `Idempotency-Key`: one effect, and a byte-identical response for seven days. The claim, the effect and the stored
 * response share one transaction, so a crash leaves either all of them or none.
 */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { call, callForValue } from '../kit/call.ts'
import { canonicalJson } from '../kit/canonical-json.ts'
import type { Reader, Tx } from '../kit/db.ts'
import type { Answer, Claim } from '../kit/endpoint.ts'
import {
  ApiError,
  idempotencyInProgress,
  idempotencyMismatch,
  invalidField,
} from '../kit/errors.ts'
import type { Functions, IdempotencyClaim } from '../kit/functions.ts'
import { seal, sha256, unseal } from '../kit/secrets.ts'

/** An encrypted response is decrypted with the idempotency key itself, so that key must be hard to guess. */
const SECRET_KEY_LENGTH_MIN = 20
/** Errors that are an outcome of the operation and are replayed; other errors are not stored. */
const KEPT_REFUSALS = new Set([402, 403, 404, 409])
const PIECE_BYTES = 1_048_576
const LOCK_NOT_AVAILABLE = '55P03'

const Key = z.string().regex(/^[\x21-\x7e]{1,255}$/)

export interface KeyedRequest {
  method: string
  path: string
  body: unknown
  principal: string
  /** Set for a key with fewer permissions than the agent: its claims are separate from those of other keys. */
  keyId?: string | undefined
  /** The caller's address as counted by rate limits, if no credential identifies the caller. */
  address?: string | undefined
  isSecret: boolean
}

/** Parses the header into a claim. Accepts a quoted string, the syntax of the IETF draft. */
export async function readClaim(
  header: unknown,
  request: KeyedRequest,
): Promise<(Claim & { key: string }) | undefined> {
  if (header === undefined) return undefined
  const { data: key } = Key.safeParse(
    typeof header === 'string' ? header.replace(/^"(.*)"$/, '$1') : header,
  )
  if (key === undefined)
    throw invalidField('Idempotency-Key', 'must have 1 to 255 visible ASCII characters')
  if (request.isSecret && key.length < SECRET_KEY_LENGTH_MIN)
    throw invalidField(
      'Idempotency-Key',
      `must have at least ${SECRET_KEY_LENGTH_MIN} characters here because it gives access to ` +
        'a stored secret',
    )
  return {
    key,
    principal: request.principal,
    // The address is only part of the hash, so no row reveals who called.
    keyHash: sha256(
      [request.principal, request.keyId, request.address, key]
        .filter((part) => part !== undefined)
        .join('\n'),
    ),
    // If the body can contain a password, the fingerprint includes the key, which we don't store: without the key, the
    // password can't be brute-forced from the fingerprint.
    fingerprint: await fingerprintOf(
      `${request.method} ${request.path}${request.isSecret ? `\n${key}` : ''}\n${canonicalJson(request.body ?? {})}`,
    ),
  }
}

/** Hashes a text. A large one is hashed in chunks, so that other requests are not blocked. */
async function fingerprintOf(text: string): Promise<string> {
  if (text.length <= PIECE_BYTES) return sha256(text)
  await setImmediate()
  const bytes = Buffer.from(text)
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    hash.update(bytes.subarray(at, at + PIECE_BYTES))
    await setImmediate()
  }
  return hash.digest('hex')
}

/** Runs `effect` once per claim. API errors roll it back and are stored; defects leave no trace. */
export async function once(
  tx: Tx,
  claim: Claim & { key: string },
  {
    now,
    isSecret,
    effect,
    render,
  }: {
    now: Date
    isSecret: boolean
    effect(): Promise<Answer>
    render(error: ApiError): string
  },
): Promise<Answer> {
  const earlier = await reserve(tx, claim, now)
  if (earlier) return replay(earlier, claim, isSecret)

  await sql`savepoint effect`.execute(tx)
  const answer = await effect().catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || !KEPT_REFUSALS.has(error.status)) throw error
    await sql`rollback to savepoint effect`.execute(tx)
    return { status: error.status, body: render(error), isReplay: false }
  })
  const body = isSecret && answer.status < 300 ? seal(answer.body, claim.key) : answer.body
  await store(tx, claim, { now, status: answer.status, answer: body })
  return answer
}

/** The stored response of a claim, for endpoints with expensive work to do before their own transaction. */
export async function recall(
  db: Reader,
  claim: Claim & { key: string },
  { now, isSecret }: { now: Date; isSecret: boolean },
): Promise<Answer | undefined> {
  const stored = await find(db, claim, now)
  return stored === undefined || stored.outcome === 'in_progress'
    ? undefined
    : replay(stored, claim, isSecret)
}

/** Whether the key was used before, for any request: the body, which would tell them apart, has not been read yet. */
export async function isKnown(db: Reader, claim: Claim, now: Date): Promise<boolean> {
  return (await find(db, claim, now)) !== undefined
}

type Stored = Functions['idempotency_find']['row']

function replay(
  { outcome, status, answer }: Stored,
  { key }: { key: string },
  isSecret: boolean,
): Answer {
  if (outcome === 'in_progress') throw idempotencyInProgress({ retry_after_seconds: 1 })
  if (outcome === 'mismatch') throw idempotencyMismatch()
  const body = isSecret && status! < 300 ? unseal(answer!, key) : answer!
  return { status: status!, body, isReplay: true }
}

const toRow = ({ principal, keyHash, fingerprint }: Claim): IdempotencyClaim => ({
  item: 1,
  principal,
  key_hash: keyHash,
  fingerprint,
  status: null,
  answer: null,
})

async function find(db: Reader, claim: Claim, now: Date): Promise<Stored | undefined> {
  const [stored] = await call(db, 'idempotency_find', { p_now: now, p_claims: [toRow(claim)] })
  return stored
}

/** Without a status, reserves the key. Returns whether anything was stored. */
async function store(
  tx: Tx,
  claim: Claim,
  {
    now,
    status = null,
    answer = null,
  }: { now: Date; status?: number | null; answer?: string | null },
): Promise<boolean> {
  const row = { ...toRow(claim), status, answer }
  return (await callForValue(tx, 'idempotency_store', { p_now: now, p_claims: [row] })) === 1
}

/** Reserves the key for this request, or returns what is stored under it. */
async function reserve(tx: Tx, claim: Claim, now: Date): Promise<Stored | undefined> {
  const stored = await find(tx, claim, now)
  if (stored !== undefined) return stored
  await sql`set local lock_timeout = '5s'`.execute(tx)
  const isReserved = await store(tx, claim, { now }).catch((error: unknown) => {
    // The request that holds the key has not finished within five seconds.
    throw (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE
      ? idempotencyInProgress({ retry_after_seconds: 1 })
      : error
  })
  if (isReserved) return undefined
  const other = await find(tx, claim, now)
  if (other === undefined) throw idempotencyInProgress({ retry_after_seconds: 1 })
  return other
}
