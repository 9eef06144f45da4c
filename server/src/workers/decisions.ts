/** Operators' decisions to suspend or close a worker's account. */
import type { Selectable } from 'kysely'
import type { Config } from '../config.ts'
import type { Reader, Shards, Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'
import { mintLinkToken, sha256 } from '../kit/secrets.ts'
import { invalidMailLink } from '../email/errors.ts'
import type { ApiError } from '../kit/errors.ts'
import type { Schema } from '../kit/schema.ts'
import { decisionEnded, invalidPassword, workerClosed, workerSuspended } from './errors.ts'
import { linkTo } from './links.ts'
import { byId, type Worker } from './queries.ts'

export type Decision = Selectable<Schema['worker_decisions']>

/** Why a decision can't be made, in words for the operator. */
export interface Refused {
  refusal: string
}

const HOUR_MS = 3_600_000
/** A link in a login response only has to last until the page is open. */
const LOGIN_LINK_MS = HOUR_MS

/** Whether the account is suspended or closed: the worker has no session, and gets none. */
export const isShutOut = ({ status }: Pick<Worker, 'status'>) =>
  status === 'suspended' || status === 'closed'

/** Locks the worker's row, always before the decision's, to serialize concurrent operators. */
export const lockWorker = (tx: Tx, workerId: string): Promise<Worker | undefined> =>
  tx
    .selectFrom('workers')
    .selectAll()
    .where('id', '=', workerId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** The decision that suspended or closed an account; undefined for an active one. */
export const decisionInForce = (db: Reader, workerId: string): Promise<Decision | undefined> =>
  db
    .selectFrom('worker_decisions')
    .selectAll()
    .where('worker_id', '=', workerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()

/**
 * An account that an operator closed keeps its password and its links: the login is refused with a link to the page
 * where the worker can object and get the remaining money. An account closed in another way has no such page.
 */
export const isClosedForGood = async (db: Reader, { id, status }: Pick<Worker, 'id' | 'status'>) =>
  status === 'closed' && (await decisionInForce(db, id)) === undefined

export const hasObjectionWaiting = ({ objection, reply, ended_at }: Decision) =>
  objection !== null && reply === null && ended_at === null

/** Creates a link to the page of a decision. Several are valid at once: the mail's, and one for each login. */
export async function mintObjectionLink(
  tx: Tx,
  {
    decisionId,
    livesMs,
    config,
    now,
  }: { decisionId: string; livesMs: number; config: Config; now: Date },
): Promise<{ link: string; tokenHash: string }> {
  await tx
    .deleteFrom('objection_links')
    .where('decision_id', '=', decisionId)
    .where('expires_at', '<=', now)
    .execute()
  const token = mintLinkToken(shardOf(decisionId))
  const tokenHash = sha256(token)
  await tx
    .insertInto('objection_links')
    .values({
      token_hash: tokenHash,
      decision_id: decisionId,
      created_at: now,
      expires_at: new Date(now.getTime() + livesMs),
    })
    .execute()
  return { link: linkTo(config, 'objection', token), tokenHash }
}

/** The decision of a link; undefined for an unknown or expired link. */
export const findByLink = (
  db: Reader,
  { token, now }: { token: string; now: Date },
): Promise<Decision | undefined> =>
  db
    .selectFrom('worker_decisions')
    .innerJoin('objection_links', 'objection_links.decision_id', 'worker_decisions.id')
    .selectAll('worker_decisions')
    .where('objection_links.token_hash', '=', sha256(token))
    .where('objection_links.expires_at', '>', now)
    .executeTakeFirst()

/** The errors of `workerByLink`, for the endpoints that call it. */
export const LINK_ERRORS = [invalidMailLink, decisionEnded] as const

/**
 * The suspended or closed worker whom a link belongs to. The link replaces the session that such a worker can't have,
 * so it ends when the account is active again.
 */
export async function workerByLink(
  db: Reader,
  link: { token: string; now: Date },
): Promise<Worker> {
  const decision = await findByLink(db, link)
  if (decision === undefined) throw invalidMailLink()
  const worker = await byId(db, decision.worker_id)
  if (worker === undefined || !isShutOut(worker)) throw decisionEnded()
  return worker
}

/**
 * Refuses the login of a suspended or closed account and says why. Call it only after the password was verified, so
 * that nobody else learns the state of an account.
 */
export async function refuseShutOut(
  shards: Shards,
  worker: Worker,
  { config, now }: { config: Config; now: Date },
): Promise<void> {
  if (!isShutOut(worker)) return
  throw await shards.at(worker.id).transaction((tx) => refusalFor(tx, worker, { config, now }))
}

async function refusalFor(
  tx: Tx,
  worker: Worker,
  { config, now }: { config: Config; now: Date },
): Promise<ApiError> {
  const decision = await decisionInForce(tx, worker.id)
  // A test-mode worker is closed along with its agent, without an operator's decision.
  if (worker.status === 'closed' && decision === undefined) return invalidPassword()
  const { link } = decision
    ? await mintObjectionLink(tx, {
        decisionId: decision.id,
        livesMs: LOGIN_LINK_MS,
        config,
        now,
      })
    : { link: null }
  const told = {
    reason: decision?.reason ?? null,
    since: decision?.decided_at.toISOString() ?? null,
    objection_url: link,
  }
  return worker.status === 'closed'
    ? workerClosed(told)
    : workerSuspended({ ...told, until: decision?.ends_at?.toISOString() ?? null })
}
