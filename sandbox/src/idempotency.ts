/**
 * Idempotency keys: the same request under the same key gets the stored response and is not executed again. After a day
 * a key expires, and the same request is executed again.
 */
import { createHash } from 'node:crypto'
import { ApiError } from './errors.ts'
import type { Tx } from './tx.ts'

const KEPT_SECONDS = 24 * 3600
const KEY_LENGTH_MAX = 255

export interface Answer {
  status: number
  body: string
  headers: Record<string, string>
}

export const hashRequest = (request: {
  method: string
  path: string
  account: string
  body: string
}): string =>
  createHash('sha256')
    .update(`${request.method} ${request.path}\n${request.account}\n${request.body}`)
    .digest('hex')

/** The stored response for this key; throws if the request differs from the original one. */
export function findAnswer(tx: Tx, key: string, requestHash: string): Answer | undefined {
  if (key.length > KEY_LENGTH_MAX)
    throw new ApiError(400, {
      type: 'invalid_request_error',
      message: `Idempotency key must be at most ${KEY_LENGTH_MAX} characters.`,
    })
  const row = tx.store.one<{
    request_hash: string
    request_id: string
    status: number
    body: string
    headers: string
  }>(
    `select request_hash, request_id, status, body, headers from idempotency_keys
       where key = ? and created > ?`,
    key,
    tx.now - KEPT_SECONDS,
  )
  if (row === undefined) return undefined
  if (row.request_hash !== requestHash)
    throw new ApiError(400, {
      type: 'idempotency_error',
      message:
        'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
        `Try using a key other than '${key}' if you meant to execute a different request.`,
    })
  return {
    status: row.status,
    body: row.body,
    headers: {
      ...(JSON.parse(row.headers) as Record<string, string>),
      'idempotent-replayed': 'true',
      'original-request': row.request_id,
    },
  }
}

export function keepAnswer(tx: Tx, key: string, requestHash: string, answer: Answer): void {
  tx.store.run('delete from idempotency_keys where created <= ?', tx.now - KEPT_SECONDS)
  tx.store.run(
    `insert into idempotency_keys (key, request_hash, request_id, status, body, headers, created)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict (key) do update set status = excluded.status, body = excluded.body,
         headers = excluded.headers`,
    key,
    requestHash,
    tx.request.id ?? '',
    answer.status,
    answer.body,
    JSON.stringify(answer.headers),
    tx.now,
  )
}

export const keyInUse = (key: string) =>
  new ApiError(
    409,
    {
      type: 'idempotency_error',
      code: 'idempotency_key_in_use',
      message:
        'There is currently another in-progress request using this Idempotent Key (that probably means you ' +
        `submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    },
    { 'stripe-should-retry': 'true' },
  )
