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
import { type Db, violates } from '../kit/db.ts'
import { mintId } from '../kit/ids.ts'
import type { OperatorBackground } from '../kit/operator-background.ts'
import { hasRight } from '../kit/rights.ts'
import { missingRight } from '../operators/errors.ts'
import { carryOut } from './carry-out.ts'
import type { AnyDecisionKind, By, DecisionKind } from './decision.ts'
import { decisionMade, decisionWaits, requestKeyTaken } from './errors.ts'
import { noteDecision } from './note-decision.ts'
import { type DecisionRow, homeOf } from './queries.ts'

const HOUR_MS = 3_600_000

export interface Made<Result> {
  decision_id: string
  /** `agreed`: it is being carried out, and a timer finishes it. */
  state: 'done' | 'agreed' | 'waiting'
  /** If it waits: until when somebody else can agree. */
  expires_at: Date | null
  /** If it is done or agreed: what the kind returned. */
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
  checkRight(kind, by)
  const { home, shard } = homeOf(background.db.shards, kind, { subject, input })
  const asked = { kind: kind.kind, subject, proposed_by: by.id, request_key: requestKey }
  const known = await findByKey(home, asked)
  if (known !== undefined) return readMade(known)
  const { amount_cents } = await kind.preview(background, { subject, input })
  const now = background.clock.now()
  const row = await record(home, {
    ...asked,
    id: mintId('opd', now, shard),
    amount_cents,
    input: JSON.stringify(input),
    reason,
    proposed_at: now,
    expires_at: new Date(now.getTime() + background.config.DECISION_HOURS * HOUR_MS),
  })
  if (row.isKnown) return readMade(row.row)
  await noteDecision(background, by, {
    action: `${kind.kind}.propose`,
    row: row.row,
    words: reason,
  })
  const { id: decision_id, expires_at, state } = row.row
  if (state === 'waiting') return { decision_id, state, expires_at, result: null }
  const carried = await carryOut(background, kind, { row: row.row, home, by })
  return { decision_id, expires_at: null, ...(carried as { state: 'done'; result: Result }) }
}

export function checkRight({ right }: Pick<AnyDecisionKind, 'right'>, { role }: By): void {
  if (!hasRight(role, right)) throw missingRight({ required_right: right, role })
}

type New = Pick<
  DecisionRow,
  | 'id'
  | 'kind'
  | 'subject'
  | 'amount_cents'
  | 'reason'
  | 'proposed_by'
  | 'proposed_at'
  | 'expires_at'
  | 'request_key'
> & { input: string }

/** The database refuses the state that isn't right for the amount. */
async function record(home: Db, row: New): Promise<{ row: DecisionRow; isKnown: boolean }> {
  const insert = (state: 'agreed' | 'waiting') =>
    home.transaction((tx) =>
      tx
        .insertInto('operator_decisions')
        .values({ ...row, state })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
  try {
    return { row: await insertFirst(insert), isKnown: false }
  } catch (error) {
    if (violates(error, 'operator_decisions_request')) {
      const known = await findByKey(home, row)
      if (known !== undefined) return { row: known, isKnown: true }
    }
    if (!violates(error, 'operator_decisions_waiting')) throw error
    const waiting = await home.reader
      .selectFrom('operator_decisions')
      .select('id')
      .where('kind', '=', row.kind)
      .where('subject', '=', row.subject)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    throw decisionWaits({ decision_id: waiting?.id ?? '' })
  }
}

async function insertFirst(
  insert: (state: 'agreed' | 'waiting') => Promise<DecisionRow>,
): Promise<DecisionRow> {
  try {
    return await insert('agreed')
  } catch (error) {
    if (!violates(error, 'operator_decisions_first_state')) throw error
    return insert('waiting')
  }
}

async function findByKey(
  home: Db,
  asked: Pick<DecisionRow, 'kind' | 'subject' | 'proposed_by' | 'request_key'>,
): Promise<DecisionRow | undefined> {
  const known = await home.reader
    .selectFrom('operator_decisions')
    .selectAll()
    .where('request_key', '=', asked.request_key)
    .executeTakeFirst()
  if (known === undefined) return undefined
  const isSame =
    known.kind === asked.kind &&
    known.subject === asked.subject &&
    known.proposed_by === asked.proposed_by
  if (!isSame) throw requestKeyTaken()
  return known
}

function readMade<Result>({ id, state, expires_at, result }: DecisionRow): Made<Result> {
  if (state === 'done')
    return { decision_id: id, state, expires_at: null, result: result as Result }
  if (state === 'waiting') return { decision_id: id, state, expires_at, result: null }
  throw decisionMade({ decision_id: id, state })
}
