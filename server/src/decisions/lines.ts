/** The ledger's lines that a decision will post, in words. */
import type { Shards } from '../kit/db.ts'
import type { Side } from '../ledger/accounts.ts'
import type { Entry, Line } from '../ledger/movements.ts'
import type { Effect } from './decision.ts'

type EffectLine = Effect['lines'][number]

/**
 * An agent's side of a line is its wallet first and then its debt, or the other way around for a credit; so the line
 * can become two, as in the ledger. Each agent's lines change its balance for the next ones.
 */
export async function linesOf(shards: Shards, entries: readonly Entry[]): Promise<EffectLine[]> {
  const balances = new Map<string, Balance>()
  const lines: EffectLine[] = []
  for (const line of entries.flatMap((entry) => entry.lines)) {
    const { agentId } = line
    if (agentId !== undefined && !balances.has(agentId))
      balances.set(agentId, await balanceOf(shards, agentId))
    lines.push(...inWords(line, agentId === undefined ? undefined : balances.get(agentId)))
  }
  return lines
}

interface Balance {
  walletCents: number
  owedCents: number
}

async function balanceOf(shards: Shards, agentId: string): Promise<Balance> {
  const row = await shards
    .at(agentId)
    .reader.selectFrom('ledger_agents')
    .select(['wallet_cents', 'receivable_cents'])
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  return { walletCents: row?.wallet_cents ?? 0, owedCents: row?.receivable_cents ?? 0 }
}

function inWords(line: Line, balance: Balance | undefined): EffectLine[] {
  const { debit, credit, amountCents } = line
  const named = (from: Side, to: Side, amount_cents: number) => ({
    from: nameOf(from, line),
    to: nameOf(to, line),
    amount_cents,
  })
  if (balance === undefined) return [named(debit, credit, amountCents)]
  if (debit === 'agent') {
    const first = Math.min(balance.walletCents, amountCents)
    balance.walletCents -= first
    balance.owedCents += amountCents - first
    return [
      named('liab:agent_wallet', credit, first),
      named('asset:agent_receivable', credit, amountCents - first),
    ].filter(({ amount_cents }) => amount_cents > 0)
  }
  if (credit === 'agent') {
    const first = Math.min(balance.owedCents, amountCents)
    balance.owedCents -= first
    balance.walletCents += amountCents - first
    return [
      named(debit, 'asset:agent_receivable', first),
      named(debit, 'liab:agent_wallet', amountCents - first),
    ].filter(({ amount_cents }) => amount_cents > 0)
  }
  if (debit === 'liab:agent_wallet') balance.walletCents -= amountCents
  if (credit === 'asset:agent_receivable') balance.owedCents -= amountCents
  return [named(debit, credit, amountCents)]
}

const NAMES: Partial<Record<Side, string>> = {
  'asset:processor_balance': 'balance at the processor',
  'liab:escrow': 'escrow',
  'liab:payout_in_transit': 'payouts in transit',
  'liab:refund_in_transit': 'refunds in transit',
  'liab:suspense': 'suspense',
  'rev:commission': 'commission',
  'exp:promo': 'promotional fund',
  'exp:goodwill': 'protection fund',
  'exp:bad_debt': 'our losses',
  'eq:operator_funding': 'own funds',
  'eq:operator_withdrawals': 'own funds',
}

function nameOf(side: Side, { agentId, workerId }: Pick<Line, 'agentId' | 'workerId'>): string {
  if (side === 'agent' || side === 'liab:agent_wallet') return `wallet of ${agentId}`
  if (side === 'asset:agent_receivable') return `debt of ${agentId}`
  if (side === 'liab:worker_payable') return `earnings of ${workerId}`
  return NAMES[side] ?? side
}
