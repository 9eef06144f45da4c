/** Hashes of the database rows, to detect whether a refused call changed any. */
import pg from 'pg'
import type { Marketplace } from '../harness.ts'
import { atEnd } from '../hooks.ts'

/** Rows and columns that a refused call may change: counts and times of attempts. Some are written every minute. */
const COUNTERS = {
  tables: /^(?:refused_requests|request_minutes$)/,
  columns: ['last_used_at'],
}

export type Snapshot = Map<string, string>

/** A hash per table: of all rows, or of those that contain one of the ids. */
export async function takeSnapshot(market: Marketplace, ids?: string[]): Promise<Snapshot> {
  const owner = await connectionOf(market)
  // An agent references its test twin, whose rows are not the agent's own.
  const ignored = ids ? [...COUNTERS.columns, 'twin_id'] : COUNTERS.columns
  const { rows: tables } = await owner.query<{ name: string; has_ignored: boolean }>(
    `select relname as name,
            exists (select 1 from pg_attribute where attrelid = c.oid and attname = any($1)) as has_ignored
       from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    [ignored],
  )
  const parts = tables
    .filter(({ name }) => !COUNTERS.tables.test(name))
    .map(({ name, has_ignored }) => {
      // As jsonb, a row takes several times as long.
      const text = has_ignored ? '(to_jsonb(t) - $1::text[])::text' : 't::text'
      return `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(text, 0)), 0) as hash
           from (select ${text} as text from "${name}" t) rows
          where $2::text is null or text ~ $2`
    })
  const { rows } = await owner.query<{ name: string; hash: string }>(parts.join(' union all '), [
    ignored,
    ids?.join('|') ?? null,
  ])
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

export const changedTables = (before: Snapshot, after: Snapshot): string[] =>
  [...after].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name)

const connections = new WeakMap<Marketplace, Promise<pg.Client>>()

/** Connects as the owner of the tables, who sees all rows. */
function connectionOf(market: Marketplace): Promise<pg.Client> {
  const open = async () => {
    const client = new pg.Client({ connectionString: market.url })
    await client.connect()
    atEnd(() => client.end())
    return client
  }
  const connection = connections.get(market) ?? open()
  connections.set(market, connection)
  return connection
}
