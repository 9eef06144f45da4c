/**
 * `Idempotency-Key`: one effect, and the same answer to the byte for seven days. The claim, the effect and the
 * stored answer are one transaction: a crash leaves all of them or none.
 */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader, Tx } from '../kit/db.ts'
import type { Answer, Claim } from '../kit/endpoint.ts'
import {
  ApiError,
  idempotencyInProgress,
  idempotencyMismatch,
  invalidField,
} from '../kit/errors.ts'
import { seal, sha256, unseal } from '../kit/secrets.ts'

/** A sealed answer is opened by the key itself, so there it must be hard to guess. */
const SECRET_KEY_LENGTH_MIN = 20
/** Refusals that are an outcome of the operation, and repeated like one; others are not the operation's. */
const KEPT_REFUSALS = new Set([402, 403, 404, 409])
const KEPT_MS = 7 * 86_400_000
const PIECE_BYTES = 1_048_576
const LOCK_NOT_AVAILABLE = '55P03'

const Key = z.string().regex(/^[\x21-\x7e]{1,255}$/)

export interface KeyedRequest {
  method: string
  path: string
  body: unknown
  principal: string
  /** Of a key that may do less than the agent: who has other keys does not answer for it, nor it for them. */
  keyId?: string | undefined
  /** The caller's address as limits count it, where no credential tells callers apart. */
  address?: string | undefined
  isSecret: boolean
}

/** Reads the header into a claim; a quoted string, as the IETF draft writes it, means what it quotes. */
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
      `must have at least ${SECRET_KEY_LENGTH_MIN} characters here, since it opens a stored secret`,
    )
  return {
    key,
    principal: request.principal,
    // The address is part of the hash only: no row shows who called.
    keyHash: sha256(
      [request.principal, request.keyId, request.address, key]
        .filter((part) => part !== undefined)
        .join('\n'),
    ),
    // Where the body holds a password, its fingerprint can't be tried out without the key, which we don't keep.
    fingerprint: await fingerprintOf(
      `${request.method} ${request.path}${request.isSecret ? `\n${key}` : ''}\n${canonical(request.body)}`,
    ),
  }
}

/** The hash of a text. That of a large one is made piece by piece, so that other requests get their turn. */
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

/** Runs `effect` once for a claim. Its refusals are undone and remembered; its defects leave no trace. */
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
  const earlier = await claimKey(tx, claim, now)
  if (earlier) return replay(earlier, claim, isSecret)

  await sql`savepoint effect`.execute(tx)
  const answer = await effect().catch(async (error: unknown) => {
    if (!(error instanceof ApiError) || !KEPT_REFUSALS.has(error.status)) throw error
    await sql`rollback to savepoint effect`.execute(tx)
    return { status: error.status, body: render(error), isReplay: false }
  })
  await tx
    .updateTable('idempotency_keys')
    .set({
      status: answer.status,
      answer: isSecret && answer.status < 300 ? seal(answer.body, claim.key) : answer.body,
    })
    .where('week', '=', weekOf(now))
    .where('principal', '=', claim.principal)
    .where('key_hash', '=', claim.keyHash)
    .execute()
  return answer
}

/** The answer that a claim was given before, for whoever has dear work to do before its own transaction. */
export async function recall(
  db: Reader,
  claim: Claim & { key: string },
  { now, isSecret }: { now: Date; isSecret: boolean },
): Promise<Answer | undefined> {
  const stored = await findStored(db, claim, now)
  if (stored === undefined || stored.status === null || stored.answer === null) return undefined
  if (stored.fingerprint !== claim.fingerprint) throw idempotencyMismatch()
  return replay({ status: stored.status, answer: stored.answer }, claim, isSecret)
}

/** Whether the key of a claim was used before, whatever for: the body, which tells, has not been read yet. */
export async function isKnown(db: Reader, claim: Claim, now: Date): Promise<boolean> {
  return (await findStored(db, claim, now)) !== undefined
}

function replay(
  { status, answer }: { status: number; answer: string },
  { key }: { key: string },
  isSecret: boolean,
): Answer {
  return { status, body: isSecret && status < 300 ? unseal(answer, key) : answer, isReplay: true }
}

function findStored(db: Reader, claim: Claim, now: Date) {
  const weekAgo = new Date(now.getTime() - KEPT_MS)
  return db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'answer'])
    .where('principal', '=', claim.principal)
    .where('key_hash', '=', claim.keyHash)
    .where('week', 'in', [weekOf(now), weekOf(weekAgo)])
    .where('created_at', '>', weekAgo)
    .executeTakeFirst()
}

async function claimKey(
  tx: Tx,
  claim: Claim,
  now: Date,
): Promise<{ status: number; answer: string } | undefined> {
  const find = () => findStored(tx, claim, now)

  let stored = await find()
  if (stored === undefined) {
    await sql`set local lock_timeout = '5s'`.execute(tx)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('idempotency_keys')
      .values({
        week: weekOf(now),
        principal: claim.principal,
        key_hash: claim.keyHash,
        fingerprint: claim.fingerprint,
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
      .catch((error: unknown) => {
        // Whoever holds the key has not finished in five seconds.
        throw (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE
          ? idempotencyInProgress({ retry_after_seconds: 1 })
          : error
      })
    if (numInsertedOrUpdatedRows === 1n) return undefined
    stored = await find()
  }
  if (stored === undefined || stored.status === null || stored.answer === null)
    throw idempotencyInProgress({ retry_after_seconds: 1 })
  if (stored.fingerprint !== claim.fingerprint) throw idempotencyMismatch()
  return { status: stored.status, answer: stored.answer }
}

/** The Monday of its week, which is also the name of its partition. */
function weekOf(at: Date): string {
  const daysSinceMonday = (at.getUTCDay() + 6) % 7
  return new Date(at.getTime() - daysSinceMonday * 86_400_000).toISOString().slice(0, 10)
}

/** The same object whatever the order of its fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? {}, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
