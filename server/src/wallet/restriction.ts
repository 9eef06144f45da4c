import { liftRestriction } from '../agents/restrict.ts'
import type { Tx } from '../kit/db.ts'
import { standOf } from './deposit-status.ts'

/** Lifts a chargeback restriction once all chargebacks are decided in our favor and the agent owes nothing. */
export async function liftWhenClear(
  tx: Tx,
  { agentId, now }: { agentId: string; now: Date },
): Promise<void> {
  // Lock the agent before reading its chargebacks: one recorded concurrently then restricts the agent afterwards.
  const agent = await tx
    .selectFrom('agents')
    .select('restricted_for')
    .where('id', '=', agentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (agent.restricted_for !== 'chargeback') return
  const { receivable_cents } = await tx
    .selectFrom('ledger_agents')
    .select('receivable_cents')
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  const chargebacks = await tx
    .selectFrom('chargebacks')
    .select('status')
    .where('agent_id', '=', agentId)
    .execute()
  const stands = chargebacks.map(({ status }) => standOf(status))
  if (receivable_cents > 0 || stands.includes('open') || stands.includes('lost')) return
  await liftRestriction(tx, { agentId, why: 'chargeback', now })
}
