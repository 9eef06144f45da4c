/** Counts what the demo has made, from the database and through the API, and audits the ledger. */
import { auditLedger } from '../../server/src/ledger/audit-checks.ts'
import type { Body } from '../visitor.ts'
import type { World } from './play.ts'
import type { Market } from './stage.ts'

const QUERIES = {
  agents: 'select mode as name, count(*) from agents group by 1',
  workers: 'select status as name, count(*) from workers group by 1',
  tasks: 'select status as name, count(*) from tasks group by 1',
  open_types: `select type as name, count(*) from tasks where status = 'pending' group by 1`,
  titles: `select 'different' as name, count(distinct title) from tasks where status = 'pending'`,
  disputes: `
    select case when d.status <> 'open' then d.status
                when a.id is null then 'open'
                when a.agent_answer is null then 'appealed'
                else 'replied' end as name, count(*)
      from disputes d left join appeals a on a.dispute_id = d.id group by 1`,
  payouts: 'select status as name, count(*) from payouts group by 1',
}

type Counts = Record<keyof typeof QUERIES, Record<string, number>>

export async function countWorld({ background }: Market, { workers }: World) {
  const { db } = background
  const counts = {} as Counts
  for (const name of Object.keys(QUERIES) as (keyof typeof QUERIES)[]) {
    const rows = await db.call<{ name: string; count: number }>(name, QUERIES[name], [])
    counts[name] = Object.fromEntries(rows.map((row) => [row.name, row.count]))
  }
  const lena = workers[0]!
  const feed = await lena.get('/worker/feed?limit=100')
  const { series } = await lena.get('/worker/earnings?period=year')
  const board = await lena.get('/worker/leaderboard?period=all')
  const breaks = await auditLedger(db.reader)
  return {
    ...counts,
    feed: (feed.tasks as Body[]).length,
    earning_months: (series as Body[]).filter(({ net_cents }) => net_cents > 0).length,
    leaderboard: (board.entries as Body[]).length,
    broken: breaks.map(({ invariant, subject }) => `${invariant}: ${subject}`),
  }
}
