/**
 * Storage quotas of test mode: tasks and bytes per UTC day, for each test agent and each IP address. Anybody can get a
 * test key, so only these quotas keep the database and the file store from filling up.
 */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { type Db, type Reader, runIn, type Shards, type Tx } from '../kit/db.ts'
import { shardOfUnknown } from '../kit/secrets.ts'
import { testQuotaExceeded, tooManyTestTasks } from './errors.ts'

/** Maximum number of unfinished tasks per test agent: as many as POST /test/clock/advance can move. */
export const TEST_TASKS_OPEN_MAX = 500

/** Precedes an address in the column `subject`. */
const ADDRESS = 'address '

export interface TestUse {
  agentId: string
  /** Undefined for addresses that don't identify a client, such as loopback. */
  address: string | undefined
  tasks: number
  bytes: number
}

/**
 * Counts what is about to be stored. Throws when it exceeds today's quota of the agent or its address. With `tx`, a
 * transaction of `db`, what is refused isn't counted.
 */
export async function countTestUse(
  { db, tx }: { db: Db; tx?: Tx },
  config: Config,
  { agentId, address, ...use }: TestUse & { now: Date },
): Promise<void> {
  const subjects = [agentId, ...(address === undefined ? [] : [`${ADDRESS}${address}`])]
  for (const [shard, its] of Map.groupBy(subjects, (subject) => shardOfSubject(db.shards, subject)))
    if (tx === undefined) await countSubjects(shard.reader, config, { ...use, subjects: its })
    else
      await runIn(shard, { db, tx }, (own) => countSubjects(own, config, { ...use, subjects: its }))
}

/** The agents of one address are on several shards, so what they use together is counted on one of its own. */
const shardOfSubject = (shards: Shards, subject: string): Db =>
  subject.startsWith(ADDRESS) ? shards.of(shardOfUnknown(subject)) : shards.at(subject)

async function countSubjects(
  db: Reader,
  config: Config,
  {
    subjects,
    tasks,
    bytes,
    now,
  }: Pick<TestUse, 'tasks' | 'bytes'> & { subjects: string[]; now: Date },
): Promise<void> {
  const day = now.toISOString().slice(0, 10)
  const { rows } = await sql<{ subject: string; tasks: number; bytes: number }>`
    insert into test_usage as u (day, subject, tasks, bytes)
      select ${day}::date, subject, ${tasks}, ${bytes} from unnest(${subjects}::text[]) subject order by subject
      on conflict (subject, day) do update
        set tasks = u.tasks + excluded.tasks, bytes = u.bytes + excluded.bytes
    returning subject, tasks, bytes`.execute(db)
  for (const used of rows) {
    const limit = exceeded(used, config)
    if (limit !== undefined)
      throw testQuotaExceeded({ ...limit, retry_after_seconds: secondsLeftOf(now) })
  }
}

function exceeded(
  { subject, tasks, bytes }: { subject: string; tasks: number; bytes: number },
  config: Config,
): { limit: string; limit_value: number } | undefined {
  const [taskLimit, byteLimit] = subject.startsWith(ADDRESS)
    ? (['TEST_TASKS_PER_ADDRESS_DAY', 'TEST_BYTES_PER_ADDRESS_DAY'] as const)
    : (['TEST_TASKS_PER_DAY', 'TEST_BYTES_PER_DAY'] as const)
  if (tasks > config[taskLimit])
    return { limit: taskLimit.toLowerCase(), limit_value: config[taskLimit] }
  if (bytes > config[byteLimit])
    return { limit: byteLimit.toLowerCase(), limit_value: config[byteLimit] }
  return undefined
}

/** Until midnight UTC, when the quotas reset. */
function secondsLeftOf(now: Date): number {
  const DAY_MS = 86_400_000
  return Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000)
}

/** Counts a test task that is about to be created. Throws when the agent or its address may create no more. */
export async function admitTestTask(
  db: Db,
  config: Config,
  { task, ...use }: Pick<TestUse, 'agentId' | 'address'> & { task: unknown; now: Date },
): Promise<void> {
  await refuseTooManyOpen(db.reader, use.agentId)
  const bytes = Buffer.byteLength(JSON.stringify(task))
  await countTestUse({ db }, config, { ...use, tasks: 1, bytes })
}

/** Throws when a test agent has reached its limit of unfinished tasks. */
async function refuseTooManyOpen(db: Reader, agentId: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select 1 from tasks where agent_id = ${agentId} and rehearsal is not null and ended_at is null
             limit ${TEST_TASKS_OPEN_MAX}) unfinished`.execute(db)
  if (rows[0]!.count >= TEST_TASKS_OPEN_MAX) throw tooManyTestTasks({ limit: TEST_TASKS_OPEN_MAX })
}
