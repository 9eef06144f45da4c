/**
 * Agree to a colleague's decision, which is then carried out.
 *
 *   called by   an operator with the right of the kind, who did not propose it
 *   moves       a decision: waiting → agreed → done | failed
 *   money       what the kind does
 *   event       what the kind records
 */
import { z } from 'zod'
import { runIn, type Tx } from '../kit/db.ts'
import { deskOperation } from '../kit/desk-operation.ts'
import type { OperatorBackground } from '../kit/operator-background.ts'
import { hasRight, type Right, type Role } from '../kit/rights.ts'
import { missingRight } from '../operators/errors.ts'
import { carryOut } from './carry-out.ts'
import { checkRight, type Made } from './decide.ts'
import type { AnyDecisionKind, By } from './decision.ts'
import { endDecisionIn } from './end-decision.ts'
import {
  decisionNotFound,
  decisionNotWaiting,
  noAccount,
  ownDecision,
  proposerLeft,
} from './errors.ts'
import { DECISION_KINDS } from './kinds.ts'
import { noteDecisionIn } from './note-decision.ts'
import { findDecision, type FoundDecision } from './queries.ts'
import { MadeView } from './views.ts'

export const agreeToDecision = deskOperation({
  method: 'POST',
  path: '/decisions/:id/agree',
  name: 'agreeToDecision',
  // The right of the kind is checked in `agree`.
  right: 'view',
  summary: 'Agree to a colleague’s decision, which is then carried out',
  params: z.object({ id: z.string() }),
  body: z.object({}),
  success: { status: 200, body: z.object({ decision: MadeView }) },
  errors: [
    decisionNotFound,
    decisionNotWaiting,
    missingRight,
    noAccount,
    ownDecision,
    proposerLeft,
  ],

  async handler({ background, operator, params }) {
    const made = await agree(background, DECISION_KINDS, { decisionId: params.id, by: operator })
    return { decision: { ...made, expires_at: null } }
  },
})

export async function agree(
  background: OperatorBackground,
  kinds: readonly AnyDecisionKind[],
  { decisionId, by }: { decisionId: string; by: By },
): Promise<Made<unknown>> {
  const { shards } = background.db
  const found = await findDecision(shards, kinds, decisionId)
  const { row, kind, home } = found
  checkSecond(found, by, background.clock.now())
  const second_at = background.clock.now()
  const proposer = await shards.global.transaction(async (tx) => {
    const people = await lockPersons(tx, [row.proposed_by, by.id], kind.right)
    if (!people.has(by.id)) throw noAccount()
    const first = people.get(row.proposed_by)
    if (first === undefined) throw proposerLeft()
    await noteDecisionIn(tx, by, { action: `${kind.kind}.agree`, row }, second_at)
    const agreed = { state: 'agreed', second_by: by.id, second_at } as const
    await runIn(home, { db: shards.global, tx }, (own) => endDecisionIn(own, row, agreed))
    return first
  })
  const agreed = { ...row, state: 'agreed' as const, second_by: by.id, second_at }
  const carried = await carryOut(background, kind, {
    row: agreed,
    home,
    by: { id: row.proposed_by, role: proposer },
  })
  return { decision_id: row.id, expires_at: null, ...carried }
}

export function checkSecond({ row, kind }: FoundDecision, by: By, now: Date): void {
  checkRight(kind, by)
  if (row.state !== 'waiting') throw decisionNotWaiting({ state: row.state })
  if (row.proposed_by === by.id) throw ownDecision()
  if (row.expires_at <= now) throw decisionNotWaiting({ state: 'lapsed' })
}

/**
 * The roles of those who are active operators with the right, locked until the transaction ends: nobody is disabled
 * meanwhile. A system user of the shell is no person that could be told apart from another.
 */
async function lockPersons(
  tx: Tx,
  ids: string[],
  right: Right,
): Promise<ReadonlyMap<string, Role>> {
  const rows = await tx
    .selectFrom('operators')
    .select(['id', 'role'])
    .where('id', 'in', ids)
    .where('status', '=', 'active')
    .orderBy('id')
    .forShare()
    .execute()
  return new Map(
    rows
      .map(({ id, role }) => [id, role as Role] as const)
      .filter(([, role]) => hasRight(role, right)),
  )
}
