/**
 * Refund an agent's unspent money to the cards that it came from.
 *
 *   called by   an operator with the right `pay`
 *   moves       see wallet/request-refund.ts
 *   money       wallet → refund in transit; wallet/send-refund.ts sends it
 *   event       refund.send (ours)
 */
import { z } from 'zod'
import { shardOf } from '../../kit/ids.ts'
import { refundPaid, refundRequested } from '../../ledger/movements.ts'
import { planRefund, refundAgent } from '../../wallet/request-refund.ts'
import { decision } from '../decision.ts'
import { linesOf } from '../lines.ts'

export const refundDeposits = decision({
  kind: 'refund.request',
  right: 'pay',
  title: 'Refund an agent’s unspent money',
  input: z.object({ amount_cents: z.int().min(1) }),

  async preview({ db }, { subject: agentId, input: { amount_cents } }) {
    const parts = await planRefund(db.shards.at(agentId).reader, {
      agentId,
      amountCents: amount_cents,
    })
    const entries = parts.flatMap(({ deposit, cents }) => {
      const of = { mode: deposit.mode, shard: shardOf(agentId), agentId, refundId: deposit.id }
      const money = { ...of, amountCents: cents }
      return [refundRequested(money), refundPaid(money)]
    })
    return {
      amount_cents,
      lines: await linesOf(db.shards, entries),
      tells: [],
      changes: [
        'The money goes back to the cards it came from, newest deposits first, within days',
      ],
      undo: null,
    }
  },

  async carryOut(background, { subject, input, reason, operator }) {
    const refunds = await refundAgent(background, {
      agentId: subject,
      amountCents: input.amount_cents,
      requestedBy: operator,
      reason,
    })
    return {
      refunds: refunds.map(({ id, amount_cents, deposit_id }) => ({
        id,
        amount_cents,
        deposit_id,
      })),
    }
  },

  async findDone({ db }, { subject, reason, operator, since }) {
    const refunds = await db.shards
      .at(subject)
      .reader.selectFrom('refunds')
      .select(['id', 'amount_cents', 'deposit_id'])
      .where('agent_id', '=', subject)
      .where('requested_by', '=', operator)
      .where('reason', '=', reason)
      .where('created_at', '>=', since)
      .execute()
    return refunds.length === 0 ? undefined : { refunds }
  },
})
