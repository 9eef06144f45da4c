/**
 * Check whether wallets have fallen below the threshold that their agents set.
 *
 *   called by   the clock, every five minutes for an agent that has set low_balance_cents
 *   moves       nothing
 *   money       none
 *   event       agent.low_balance (ours), once until the wallet is above the threshold again, and at most once a day
 */
import { sql } from 'kysely'
import { askWhenDue } from '../webhooks/ask-when-due.ts'

const LOOK_AGAIN_MS = 5 * 60_000
/** The email address may belong to a stranger, whom a balance that goes up and down must not flood. */
const TELL_AGAIN_MS = 86_400_000

export const watchBalance = askWhenDue({
  name: 'agents.watch-balance',

  due: (db, { now, limit }) =>
    db
      .selectFrom('agents')
      .select('id')
      .where('low_balance_cents', 'is not', null)
      .where('low_balance_look_at', '<=', now)
      .orderBy('low_balance_look_at')
      .limit(limit)
      .execute(),

  async putOff(tx, { ids, now }) {
    const agents = await tx
      .selectFrom('agents as agent')
      .innerJoin('ledger_agents as wallet', 'wallet.agent_id', 'agent.id')
      .select(['agent.id', 'low_balance_told_at as toldAt'])
      .select(sql<boolean>`wallet_cents - receivable_cents < low_balance_cents`.as('isLow'))
      .where('agent.id', '=', sql<string>`any(${ids})`)
      .where('low_balance_look_at', '<=', now)
      .forNoKeyUpdate('agent')
      .skipLocked()
      .execute()
    const low = agents.filter(({ isLow, toldAt }) => isLow && toldAt === null)
    const well = agents.filter(
      ({ isLow, toldAt }) => !isLow && now.getTime() - (toldAt ?? now).getTime() >= TELL_AGAIN_MS,
    )
    const idsOf = (rows: { id: string }[]) => sql`${rows.map(({ id }) => id)}::text[]`
    await tx
      .updateTable('agents')
      .set({
        low_balance_look_at: new Date(now.getTime() + LOOK_AGAIN_MS),
        low_balance_told_at: sql<Date | null>`case
          when id = any(${idsOf(low)}) then ${now}::timestamptz
          when id = any(${idsOf(well)}) then null
          else low_balance_told_at end`,
      })
      .where('id', '=', sql<string>`any(${agents.map(({ id }) => id)})`)
      .execute()
    return low.map(({ id }) => ({ type: 'agent.low_balance', id }))
  },
})
