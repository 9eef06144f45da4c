/** The board of the marketplace: do tasks find people, and how does the work end. Live mode only. */
import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../../kit/db.ts'
import { addUp, readShards } from '../../kit/everywhere.ts'
import { firstIdAt } from '../../kit/ids.ts'
import type { Background } from '../../kit/job.ts'
import {
  type Board,
  type Bucket,
  type Figure,
  type Given,
  quantile,
  type Rows,
  shareOf,
  sinceOf,
  threeDigits,
  worseThan,
} from './board.ts'

/** A task that nobody has taken for so long counts as one without takers. */
const TAKEN_WITHIN_MS = 3_600_000
/** Rows of the feed that are read at most, about; a larger feed is sampled, like its metric. */
const ROWS_READ = 20_000
const PLACES_SHOWN = 50
/** A dispute ends within this time: it is appealed, answered and ruled on. */
const DISPUTE_DAYS = 60
const DAY_MS = 86_400_000

interface Ended {
  status: 'completed' | 'disputed' | 'expired' | 'cancelled'
  is_auto: boolean
  is_disputed: boolean
  seconds: number | null
  count: number
}

interface MarketplaceData {
  created: { type: string; count: number }[]
  acceptance: Bucket[]
  proof: Bucket[]
  ended: Ended[]
  disputes: { is_overturned: boolean; count: number }[]
  activeDay: number
  activeWeek: number
  waiting: { area: string | null; type: string; count: number; oldest: Date }[]
}

async function read({ db }: Background, given: Given): Promise<MarketplaceData> {
  const { shards } = db
  const [parts, waiting] = await Promise.all([
    readShards(shards.readers, (shard) => readShard(shard, given)),
    readWithoutTakers(shards.feed.reader, given),
  ])
  return {
    created: parts.flatMap(({ created }) => created),
    acceptance: parts.flatMap(({ acceptance }) => acceptance),
    proof: parts.flatMap(({ proof }) => proof),
    ended: parts.flatMap(({ ended }) => ended),
    disputes: parts.flatMap(({ disputes }) => disputes),
    ...addUp(['activeDay', 'activeWeek'], parts),
    waiting,
  }
}

type ShardData = Omit<MarketplaceData, 'waiting'>

async function readShard(shard: Reader, given: Given): Promise<ShardData> {
  const rowsOf = async <Row>(query: RawBuilder<Row>) => (await query.execute(shard)).rows
  const active = await rowsOf(sql<{ activeDay: number; activeWeek: number }>`
    select count(*) filter (where at >= ${sinceOf(given.now, 'day')})::integer as "activeDay",
           count(*)::integer as "activeWeek"
      from (${people(sinceOf(given.now, 'week'))}) p`)
  return {
    created: await rowsOf(sql<MarketplaceData['created'][number]>`
      select type, count(*)::integer as count from (${created(given)}) t group by 1`),
    acceptance: await rowsOf(histogramOf(accepted(given))),
    proof: await rowsOf(histogramOf(proven(given))),
    ended: await rowsOf(sql<Ended>`
      select status, is_auto, is_disputed, ${threeDigits(sql`seconds`)} as seconds, count(*)::integer as count
        from (${ended(given)}) t group by 1, 2, 3, 4`),
    disputes: await rowsOf(sql<MarketplaceData['disputes'][number]>`
      select is_overturned, count(*)::integer as count from (${resolved(given)}) d group by 1`),
    ...active[0]!,
  }
}

const histogramOf = (times: RawBuilder<unknown>) => sql<Bucket>`
  select ${threeDigits(sql`seconds`)} as seconds, count(*)::integer as count from (${times}) t group by 1`

const created = ({ since }: Given) => sql`
  select created_at as at, id, agent_id, type, status from tasks
   where mode = 'live' and id >= ${firstIdAt('task', since)}`

const accepted = ({ since }: Given) => sql`
  select a.accepted_at as at, a.id, a.task_id, a.worker_id, t.type,
         extract(epoch from a.accepted_at - t.created_at) as seconds
    from assignments a join tasks t on t.id = a.task_id and t.mode = 'live'
   where a.id >= ${firstIdAt('asg', since)}`

/** The first proof of an assignment; those after a revision don't count. */
const proven = ({ since }: Given) => sql`
  select p.submitted_at as at, p.id, p.task_id, p.worker_id, t.type,
         extract(epoch from p.submitted_at - a.accepted_at) as seconds
    from proofs p
    join assignments a on a.id = p.assignment_id
    join tasks t on t.id = p.task_id and t.mode = 'live'
   where p.id >= ${firstIdAt('proof', since)}
     and not exists (select 1 from proofs b where b.assignment_id = p.assignment_id and b.id < p.id)`

/** The condition on the description is that of an index on `ended_at`; texts are kept for half a year at least. */
const ended = ({ since }: Given) => sql`
  select t.ended_at as at, t.id, t.agent_id, t.type, t.status, t.approved_by is not distinct from 'auto' as is_auto,
         exists (select 1 from disputes d where d.task_id = t.id) as is_disputed,
         case when t.status in ('completed', 'disputed') then extract(epoch from t.ended_at - t.proof_at) end as seconds
    from tasks t
   where t.ended_at >= ${since} and t.ended_at is not null
     and t.description <> 'Removed: the retention period of this text has ended.'
     and t.mode = 'live'`

const resolved = ({ now, since }: Given) => sql`
  select d.resolved_at as at, d.id, d.task_id, d.agent_id, d.status,
         d.status in ('overturned', 'split', 'rejected') as is_overturned
    from disputes d join tasks t on t.id = d.task_id and t.mode = 'live'
   where d.id >= ${firstIdAt('dsp', new Date(now.getTime() - DISPUTE_DAYS * DAY_MS))}
     and d.resolved_at >= ${since} and d.status in ('upheld', 'overturned', 'split', 'rejected', 'withdrawn')`

/** People of this shard, with their tasks in other shards. */
const people = (since: Date) => sql`
  select max(a.accepted_at) as at, a.worker_id as id, count(*)::integer as accepted
    from worker_assignments a
   where a.id >= ${firstIdAt('asg', since)}
     and exists (select 1 from workers w where w.id = a.worker_id and w.mode = 'live')
   group by a.worker_id`

const withoutTakers = ({ now }: Given, sample = sql``) => sql`
  select c.created_at as at, o.task_id as id, o.agent_id, o.area, o.type
    from open_tasks o ${sample} join open_cards c on c.task_id = o.task_id
   where c.slots_taken = 0 and c.created_at < ${new Date(now.getTime() - TAKEN_WITHIN_MS)}`

async function readWithoutTakers(feed: Reader, given: Given): Promise<MarketplaceData['waiting']> {
  const { rows: sizes } = await sql<{ rows: number }>`
    select greatest(reltuples, 0)::bigint as rows from pg_class where oid = 'open_tasks'::regclass`.execute(
    feed,
  )
  const percent = Math.min(100, (100 * ROWS_READ) / Math.max(1, sizes[0]!.rows))
  const sample = percent < 100 ? sql`tablesample system (${percent})` : sql``
  const { rows } = await sql<MarketplaceData['waiting'][number]>`
    select area, type, count(*)::integer as count, min(at) as oldest
      from (${withoutTakers(given, sample)}) w group by 1, 2 order by 3 desc, 4`.execute(feed)
  return rows.map((row) => ({ ...row, count: Math.round((row.count * 100) / percent) }))
}

type MarketFigure = Figure<MarketplaceData>
const id = (name: string) => ({ name, as: 'id' as const })
const text = (name: string) => ({ name, as: 'text' as const })
const yes = (name: string) => ({ name, as: 'yes' as const })

const countOf = (groups: readonly { count: number }[]) => addUp(['count'], groups).count
const isDecided = ({ status }: Ended) => status === 'completed' || status === 'disputed'
const decisionTimes = ({ ended }: MarketplaceData): Bucket[] =>
  ended.flatMap(({ seconds, count }) => (seconds === null ? [] : [{ seconds, count }]))

/** p50 and p95 of the same times. */
function times(
  name: string,
  title: string,
  definition: string,
  { of, rows }: { of(data: MarketplaceData): Bucket[]; rows: Omit<Rows, 'makes'> },
): MarketFigure[] {
  const words = [
    ['p50', 0.5, 'median', 'Half of them took no longer.'],
    ['p95', 0.95, '95%', '95% of them took no longer.'],
  ] as const
  return words.map(([by, share, label, sentence]) => ({
    name: `${name}_${by}_seconds`,
    title: `${title}, ${label}`,
    as: 'seconds',
    definition: `${definition} ${sentence}`,
    value: (data) => quantile(of(data), share),
    rows: { ...rows, makes: { by, column: rows.columns.length - 1 } },
  }))
}

const endedRows = (
  condition: RawBuilder<unknown>,
  counts: RawBuilder<unknown>,
  word: string,
): Rows => ({
  in: 'shards',
  makes: { by: 'share', column: 4 },
  columns: [id('Task'), id('Agent'), text('Type'), text('Status'), yes(word)],
  select: (given) => sql`
    select at, id, json_build_array(id, agent_id, type, status, ${counts}) as cells
      from (${ended(given)}) t where ${condition}`,
})

const timeRows = (
  of: (given: Given) => RawBuilder<unknown>,
  name: string,
): Omit<Rows, 'makes'> => ({
  in: 'shards',
  columns: [id('Task'), id('Worker'), text('Type'), { name, as: 'seconds' }],
  select: (given) => sql`
    select at, id, json_build_array(task_id, worker_id, type, round(seconds)) as cells from (${of(given)}) t`,
})

const peopleRows = (window: 'day' | 'week'): Rows => ({
  in: 'shards',
  makes: { by: 'count' },
  columns: [id('Worker'), { name: 'Tasks accepted', as: 'count' }],
  select: ({ now }) => sql`
    select at, id, json_build_array(id, accepted) as cells from (${people(sinceOf(now, window))}) p`,
})

const figures: readonly MarketFigure[] = [
  {
    name: 'tasks_created',
    title: 'Tasks created',
    as: 'count',
    definition: 'Live tasks that agents created.',
    value: (data) => countOf(data.created),
    rows: {
      in: 'shards',
      makes: { by: 'count' },
      columns: [id('Task'), id('Agent'), text('Type'), text('Status')],
      select: (given) => sql`
        select at, id, json_build_array(id, agent_id, type, status) as cells from (${created(given)}) t`,
    },
  },
  {
    name: 'without_takers',
    title: 'Tasks without takers',
    as: 'count',
    definition:
      'Live tasks in the feed now that were created an hour or more ago and that nobody has accepted; ' +
      'an estimate if the feed has more than 20,000 tasks.',
    value: (data) => countOf(data.waiting),
    rows: {
      in: 'feed',
      makes: { by: 'count' },
      columns: [id('Task'), id('Agent'), text('City'), text('Type')],
      select: (given) => sql`
        select at, id, json_build_array(id, agent_id, area, type) as cells from (${withoutTakers(given)}) w`,
    },
  },
  ...times(
    'acceptance',
    'Time to acceptance',
    'How long tasks had waited when a worker accepted them, for each acceptance; to three digits.',
    { of: ({ acceptance }) => acceptance, rows: timeRows(accepted, 'Waited') },
  ),
  ...times(
    'proof',
    'Time to proof',
    'How long workers took from accepting a task to sending their first proof; to three digits.',
    { of: ({ proof }) => proof, rows: timeRows(proven, 'Took') },
  ),
  ...times(
    'decision',
    'Time to decision',
    'How long tasks that were approved or disputed had waited since their last proof; to three digits.',
    {
      of: decisionTimes,
      rows: {
        in: 'shards',
        columns: [
          id('Task'),
          id('Agent'),
          text('Type'),
          text('Status'),
          { name: 'Waited', as: 'seconds' },
        ],
        select: (given) => sql`
          select at, id, json_build_array(id, agent_id, type, status, round(seconds)) as cells
            from (${ended(given)}) t where seconds is not null`,
      },
    },
  ),
  {
    name: 'expiry_share',
    title: 'Expired',
    as: 'share',
    definition: 'Of the tasks that ended, the share that expired.',
    value: ({ ended }) =>
      shareOf(countOf(ended.filter(({ status }) => status === 'expired')), countOf(ended)),
    state: worseThan(0.15, 0.3),
    rows: endedRows(sql`true`, sql`status = 'expired'`, 'Expired'),
  },
  {
    name: 'dispute_share',
    title: 'Disputed',
    as: 'share',
    definition:
      'Of the tasks that were completed or disputed, the share that the agent disputed, whatever ' +
      'became of the dispute.',
    value: ({ ended }) => {
      const decided = ended.filter(isDecided)
      return shareOf(countOf(decided.filter(({ is_disputed }) => is_disputed)), countOf(decided))
    },
    state: worseThan(0.05, 0.1),
    rows: endedRows(sql`status in ('completed', 'disputed')`, sql`is_disputed`, 'Disputed'),
  },
  {
    name: 'overturn_share',
    title: 'Overturned',
    as: 'share',
    definition:
      'Of the disputes that were decided or withdrawn, the share that an operator, or the agent’s ' +
      'silence, decided for the worker wholly or in part.',
    value: ({ disputes }) =>
      shareOf(countOf(disputes.filter(({ is_overturned }) => is_overturned)), countOf(disputes)),
    state: worseThan(0.3, 0.5),
    rows: {
      in: 'shards',
      makes: { by: 'share', column: 4 },
      columns: [id('Dispute'), id('Task'), id('Agent'), text('Status'), yes('Overturned')],
      select: (given) => sql`
        select at, id, json_build_array(id, task_id, agent_id, status, is_overturned) as cells
          from (${resolved(given)}) d`,
    },
  },
  {
    name: 'auto_approval_share',
    title: 'Approved automatically',
    as: 'share',
    definition:
      'Of the tasks that were completed, the share that was approved because the agent was silent.',
    value: ({ ended }) => {
      const completed = ended.filter(({ status }) => status === 'completed')
      return shareOf(countOf(completed.filter(({ is_auto }) => is_auto)), countOf(completed))
    },
    rows: endedRows(sql`status = 'completed'`, sql`is_auto`, 'Automatic'),
  },
  {
    name: 'active_day',
    title: 'Active people, last 24 hours',
    as: 'count',
    definition: 'Workers who accepted at least one live task in the last 24 hours.',
    value: ({ activeDay }) => activeDay,
    rows: peopleRows('day'),
  },
  {
    name: 'active_week',
    title: 'Active people, last 7 days',
    as: 'count',
    definition: 'Workers who accepted at least one live task in the last 7 days.',
    value: ({ activeWeek }) => activeWeek,
    rows: peopleRows('week'),
  },
]

const byType = (rows: MarketplaceData['created']) =>
  [...Map.groupBy(rows, ({ type }) => type)]
    .map(([type, group]) => [type, countOf(group)] as const)
    .sort(([, a], [, b]) => b - a)

export const marketplace: Board<MarketplaceData> = {
  title: 'Marketplace',
  hasWindows: true,
  read,
  figures,
  tables: [
    {
      title: 'Tasks without takers by city and type',
      definition:
        `The tasks without takers by where they are and what they ask for; the ${PLACES_SHOWN} largest ` +
        'groups.',
      columns: [
        text('City'),
        text('Type'),
        { name: 'Tasks', as: 'count' },
        { name: 'Oldest since', as: 'time' },
      ],
      rows: ({ waiting }) =>
        waiting
          .slice(0, PLACES_SHOWN)
          .map(({ area, type, count, oldest }) => [
            area ?? 'anywhere',
            type,
            count,
            oldest.toISOString(),
          ]),
    },
    {
      title: 'Tasks created by type',
      definition: 'The tasks that agents created, by what they ask for.',
      columns: [text('Type'), { name: 'Tasks', as: 'count' }],
      rows: ({ created: rows }) => byType(rows).map(([type, count]) => [type, count]),
    },
  ],
}
