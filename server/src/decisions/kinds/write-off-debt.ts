/**
 * Write off a debt that an agent will not pay.
 *
 *   called by   an operator with the right `pay`
 *   moves       nothing
 *   money       our losses → the agent's debt
 *   event       none
 */
import { z } from 'zod'
import { invalidField } from '../../kit/errors.ts'
import { shardOf } from '../../kit/ids.ts'
import { writeOff } from '../../ledger/movements.ts'
import { writeOffAboveDebt } from '../../wallet/errors.ts'
import { writeOffDebt as write } from '../../wallet/write-off.ts'
import { decision } from '../decision.ts'
import { linesOf } from '../lines.ts'

export const writeOffDebt = decision({
  kind: 'debt.write_off',
  right: 'pay',
  title: 'Write off a debt',
  input: z.object({ amount_cents: z.int().min(1) }),

  async preview({ db }, { subject: agentId, input: { amount_cents } }) {
    const owed = await db.shards
      .at(agentId)
      .reader.selectFrom('ledger_agents')
      .select(['mode', 'receivable_cents'])
      .where('agent_id', '=', agentId)
      .executeTakeFirst()
    if (owed === undefined) throw invalidField('agent_id', 'is not the id of an agent')
    const { mode, receivable_cents } = owed
    if (receivable_cents < amount_cents) throw writeOffAboveDebt({ owed_cents: receivable_cents })
    const of = { mode, shard: shardOf(agentId), agentId, amountCents: amount_cents }
    return {
      amount_cents,
      lines: await linesOf(db.shards, [writeOff({ ...of, writeOffId: '' })]),
      tells: [],
      changes: ['The agent owes less; its statement shows the write-off'],
      undo: null,
    }
  },

  async carryOut({ db, clock }, { subject, input: { amount_cents } }) {
    const { owedCents } = await db.shards
      .at(subject)
      .transaction((tx) =>
        write(tx, { agentId: subject, amountCents: amount_cents, now: clock.now() }),
      )
    return { agent_id: subject, written_off_cents: amount_cents, owed_cents: owedCents }
  },

  async findDone({ db }, { subject, input: { amount_cents }, since }) {
    const { reader } = db.shards.at(subject)
    const line = await reader
      .selectFrom('transfers')
      .innerJoin('ledger_agents', 'ledger_agents.agent_id', 'transfers.agent_id')
      .select('receivable_cents')
      .where('transfers.agent_id', '=', subject)
      .where('transfers.kind', '=', 'bad_debt')
      .where('transfers.amount_cents', '=', amount_cents)
      .where('transfers.created_at', '>=', since)
      .executeTakeFirst()
    if (line === undefined) return undefined
    const owed_cents = line.receivable_cents
    return { agent_id: subject, written_off_cents: amount_cents, owed_cents }
  },
})
