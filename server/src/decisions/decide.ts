/**
 * Make a decision: record it, and carry it out at once or after a second operator has agreed. The database decides
 * which of the two (`decide_second_person`), and its triggers refuse large movements of money without two persons.
 *
 *   called by   the desk, shell commands
 *   moves       a decision: (none) → agreed → done | failed; above its limit: (none) → waiting → agreed | declined | …
 *   money       what the kind does
 *   event       what the kind records
 */
import type { z } from 'zod'
import { type Db, type Tx, violates } from '../kit/db.ts'
import { ApiError } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import type { OperatorBackground } from '../kit/operator-background.ts'
import type { Role } from '../kit/rights.ts'
import { appendAudit } from '../operators/audit.ts'
import type { AnyDecisionKind, DecisionKind } from './decision.ts'
import { decisionNotFound, decisionNotWaiting, decisionWaits, ownDecision } from './errors.ts'

const HOUR_MS = 3_600_000

interface By {
  id: string
  role: Role
}

export interface Made<Result> {
  decision_id: string
  state: 'done' | 'waiting'
  /** If it waits: until when somebody else can agree. */
  expires_at: Date | null
  /** If it is done: what the kind returned. */
  result: Result | null
}

export interface Make<Input> {
  subject: string
  input: Input
  reason: string
  by: By
  /** A retry with the same key is the same decision. */
  requestKey: string
}

export async function decide<Schema extends z.ZodType, Result>(
  background: OperatorBackground,
  kind: DecisionKind<Schema, Result>,
  { subject, input, reason, by, requestKey }: Make<z.output<Schema>>,
): Promise<Made<Result>> {
  const { clock } = background
  const home = homeOf(background, kind, subject)
  const known = await findByKey(home, requestKey)
  if (known !== undefined) return readMade(known)
  const { amount_cents } = await kind.preview(background, { subject, input })
  const now = clock.now()
  const asked = { kind: kind.kind, subject, amount_cents, input: JSON.stringify(input), reason }
  const row = await record(home, { ...asked, by, requestKey, now, background })
  const made = { decision_id: row.id, expires_at: row.expires_at }
  await note(background, by, `${kind.kind}.propose`, row, reason)
  if (row.state === 'waiting') return { ...made, state: 'waiting', result: null }
  const result = await carryOut(background, kind, { row, input, operator: by })
  return { ...made, state: 'done', expires_at: null, result }
}

/**
 * Agree to a colleague's decision, which is then carried out.
 *
 *   called by   an operator with the right of the kind, who did not propose it
 *   moves       a decision: waiting → agreed → done | failed
 *   money       what the kind does
 *   event       what the kind records
 */
export async function agree(
  background: OperatorBackground,
  kinds: readonly AnyDecisionKind[],
  { decisionId, by }: { decisionId: string; by: By },
): Promise<Made<unknown>> {
  const { row, kind, home } = await findDecision(background, kinds, decisionId)
  if (row.proposed_by === by.id) throw ownDecision()
  const now = background.clock.now()
  await end(home, row, { state: 'agreed', second_by: by.id, second_at: now })
  await note(background, by, `${kind.kind}.agree`, row)
  const input: unknown = kind.input.parse(row.input)
  const result: unknown = await carryOut(background, kind, {
    row: { ...row, state: 'agreed' },
    input,
    operator: { id: row.proposed_by, role: by.role },
  })
  return { decision_id: row.id, state: 'done', expires_at: null, result }
}

/** Decline a colleague's decision, or withdraw the own one. The matter is open again. */
export async function endWaiting(
  background: OperatorBackground,
  kinds: readonly AnyDecisionKind[],
  { decisionId, by, reason }: { decisionId: string; by: By; reason: string },
): Promise<{ state: 'declined' | 'withdrawn' }> {
  const { row, kind, home } = await findDecision(background, kinds, decisionId)
  const now = background.clock.now()
  if (row.proposed_by === by.id) {
    await end(home, row, { state: 'withdrawn', ended_at: now })
    await note(background, by, `${kind.kind}.withdraw`, row, reason)
    return { state: 'withdrawn' }
  }
  await end(home, row, { state: 'declined', second_by: by.id, second_at: now, ended_at: now })
  await note(background, by, `${kind.kind}.decline`, row, reason)
  return { state: 'declined' }
}

type Row = Awaited<ReturnType<typeof findRow>> & object

/** A decision is with its subject, so that the rows it changes can ask for it. */
const homeOf = ({ db }: OperatorBackground, { isGlobal }: AnyDecisionKind, subject: string): Db =>
  isGlobal ? db.shards.global : db.shards.at(subject)

async function record(
  home: Db,
  {
    by,
    requestKey,
    now,
    background,
    ...asked
  }: {
    kind: string
    subject: string
    amount_cents: number | null
    input: string
    reason: string
    by: By
    requestKey: string
    now: Date
    background: OperatorBackground
  },
): Promise<Row> {
  const expires_at = new Date(now.getTime() + background.config.DECISION_HOURS * HOUR_MS)
  const id = mintId('opd', now, shardOf(asked.subject))
  const insert = (state: 'agreed' | 'waiting') =>
    home.transaction((tx) =>
      tx
        .insertInto('operator_decisions')
        .values({
          ...asked,
          id,
          state,
          proposed_by: by.id,
          proposed_at: now,
          expires_at,
          request_key: requestKey,
        })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  try {
    return await insert('agreed')
  } catch (error) {
    if (!violates(error, 'operator_decisions_first_state')) throw error
  }
  try {
    return await insert('waiting')
  } catch (error) {
    if (!violates(error, 'operator_decisions_waiting')) throw error
    const waiting = await home.reader
      .selectFrom('operator_decisions')
      .select('id')
      .where('kind', '=', asked.kind)
      .where('subject', '=', asked.subject)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    throw decisionWaits({ decision_id: waiting?.id ?? '' })
  }
}

async function carryOut<Result>(
  background: OperatorBackground,
  kind: DecisionKind<z.ZodType, Result>,
  { row, input, operator }: { row: Row; input: unknown; operator: By },
): Promise<Result> {
  const home = homeOf(background, kind, row.subject)
  const finish = (state: 'done' | 'failed', result: unknown) =>
    end(home, row, {
      state,
      ended_at: background.clock.now(),
      result: JSON.stringify(result ?? null),
    })
  const { subject, reason } = row
  try {
    const result = await kind.carryOut(background, {
      subject,
      input,
      reason,
      operator: operator.id,
    })
    await finish('done', result)
    await note(background, operator, kind.kind, row)
    return result
  } catch (error) {
    await finish('failed', { error: error instanceof Error ? error.message : String(error) })
    const detail = error instanceof ApiError ? { code: error.code } : {}
    await note(background, operator, `${kind.kind}.fail`, row, undefined, detail)
    throw error
  }
}

type Changes = Partial<{
  state: 'agreed' | 'declined' | 'withdrawn' | 'done' | 'failed'
  second_by: string
  second_at: Date
  ended_at: Date
  result: string
}>

/** A guarded update: of two operators who act at once, one is first. */
async function end(home: Db, row: Row, changes: Changes): Promise<void> {
  const { numUpdatedRows } = await home.transaction((tx) =>
    tx
      .updateTable('operator_decisions')
      .set(changes)
      .where('id', '=', row.id)
      .where('state', '=', row.state)
      .executeTakeFirst(),
  )
  if (numUpdatedRows > 0n) return
  const now = await findRow(home, row.id)
  throw decisionNotWaiting({ state: now?.state ?? 'gone' })
}

const findRow = (home: Db, id: string) =>
  home.reader.selectFrom('operator_decisions').selectAll().where('id', '=', id).executeTakeFirst()

const findByKey = (home: Db, requestKey: string) =>
  home.reader
    .selectFrom('operator_decisions')
    .selectAll()
    .where('request_key', '=', requestKey)
    .executeTakeFirst()

/** The id has the shard of the subject; a decision without a shard is in the global schema. */
async function findDecision(
  background: OperatorBackground,
  kinds: readonly AnyDecisionKind[],
  id: string,
) {
  const { shards } = background.db
  for (const home of new Set([shards.at(id), shards.global])) {
    const row = await findRow(home, id)
    const kind = kinds.find((one) => one.kind === row?.kind)
    if (row !== undefined && kind !== undefined) {
      if (row.state !== 'waiting') throw decisionNotWaiting({ state: row.state })
      return { row, kind, home }
    }
  }
  throw decisionNotFound()
}

function readMade<Result>(row: Row): Made<Result> {
  if (row.state === 'done')
    return {
      decision_id: row.id,
      state: 'done',
      expires_at: null,
      result: row.result as Result,
    }
  if (row.state === 'waiting')
    return { decision_id: row.id, state: 'waiting', expires_at: row.expires_at, result: null }
  throw decisionNotWaiting({ state: row.state })
}

async function note(
  { db, clock }: OperatorBackground,
  operator: By,
  action: string,
  row: Pick<Row, 'id' | 'subject' | 'amount_cents'>,
  words?: string,
  more: Record<string, unknown> = {},
): Promise<void> {
  const detail = { decision_id: row.id, amount_cents: row.amount_cents, ...more }
  await db.shards.global.transaction((tx: Tx) =>
    appendAudit(
      tx,
      { operator, action, subject: row.subject, detail, words },
      { now: clock.now() },
    ),
  )
}
