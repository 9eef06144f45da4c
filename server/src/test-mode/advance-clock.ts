/**
 * Advance a test agent's clock. Its unfinished tasks and pending webhook deliveries are aged from one due moment to the
 * next, and whatever is due at each moment is executed.
 *
 *   called by   an agent with a test key
 *   moves       what expire.ts, time-out.ts, auto-approve.ts, concede-appeals.ts, lapse-held-disputes.ts,
 *               settle-trust.ts and play.ts move
 *   money       as in those files, in the test book
 *   event       as in those files
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { testModeOnly, tooManyTestTasks } from '../agents/errors.ts'
import { TEST_TASKS_OPEN_MAX } from '../agents/test-usage.ts'
import type { Config } from '../config.ts'
import { call } from '../kit/call.ts'
import type { Db, Reader, Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { unavailable } from '../kit/errors.ts'
import { type Hold, holdClock, letGo, renewHold } from './clock-holds.ts'
import { clockMoving } from './errors.ts'
import { fire, type Moment, nextMoments } from './moments.ts'

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DAYS_MAX = 90
const STEPS_MAX = 500
/** Time budget of one call; the next call continues with the rest. */
const BUDGET_MS = 20_000
const KEPT_MS = 8 * UNIT_MS.d
/** Retries, because another process may hold a lock on a task. */
const TRIES = 5
const TRY_AGAIN_MS = 20
/** How long a duplicate of a running call waits for that call's response, and how often it polls for it. */
const SAME_CALL_MS = 5_000
const LOOK_AGAIN_MS = 100

const By = z
  .string()
  .regex(/^\d{1,9}[smhd]$/, 'must be a duration such as 30s, 90m, 24h or 2d')
  .transform((text) => Number(text.slice(0, -1)) * UNIT_MS[text.at(-1) as keyof typeof UNIT_MS])
  .refine((ms) => ms <= DAYS_MAX * UNIT_MS.d, `must be at most ${DAYS_MAX}d`)

const Advance = z.object({
  moved_s: z.number(),
  total_moved_s: z.number().describe('Total of all your calls'),
  is_done: z
    .boolean()
    .describe(
      `False after ${STEPS_MAX} steps, or if the call took too long: call again for the rest`,
    ),
  fired: z.array(
    z.object({
      at_s: z.number().describe('Seconds from the clock’s time before the call'),
      what: z.string().describe('For example tasks.auto_approve, rehearsal.proof, webhooks.retry'),
      task_id: z.string().nullable(),
    }),
  ),
})
type Advance = z.output<typeof Advance>

export const advanceClock = endpoint({
  method: 'POST',
  path: '/test/clock/advance',
  name: 'advanceTestClock',
  auth: 'agent',
  scope: 'manage',
  right: 'integration',
  access: { mode: 'test' },
  summary: 'Advance the time of your test tasks',
  description:
    'Test mode only. Everything that would have happened in that time happens, in order: ' +
    'scripted workers act, timers fire, and waiting webhooks are retried. The time of other ' +
    'agents does not change, and neither does that of ended tasks.',
  body: z.object({
    by: By.describe(`How far: 30s, 90m, 24h or 2d; at most ${DAYS_MAX}d per call`),
  }),
  success: { status: 200, body: Advance },
  errors: [testModeOnly, tooManyTestTasks, clockMoving],

  transaction: 'own',
  async handler({ db, config, agent, body, now, claim, warnings, recall, once, disconnectSignal }) {
    const earlier = await recall()
    if (earlier !== undefined) return earlier
    const key = claim?.keyHash ?? randomUUID()
    const refusal = await refusalOf(db.reader, agent.id, now)
    if (refusal) return once(() => Promise.reject(refusal))
    const hold = { agentId: agent.id, holder: `${key}:${randomUUID()}` }
    const take = () => holdClock(db, { ...hold, atOnceMax: config.TEST_ADVANCES_MAX })
    let taken = await take()
    for (
      const end = performance.now() + SAME_CALL_MS;
      taken === 'same call';
      taken = await take()
    ) {
      await pause(LOOK_AGAIN_MS)
      const answered = await recall()
      if (answered !== undefined) return answered
      if (performance.now() > end) break
    }
    // Thrown, so that it isn't stored as the response for the Idempotency-Key: a retry can then move the clock.
    if (taken === 'moving' || taken === 'same call') throw clockMoving({ retry_after_seconds: 1 })
    if (taken === 'too many') throw unavailable({ retry_after_seconds: 2 })
    try {
      const move = { ...hold, key, byMs: body.by, now, wanted: disconnectSignal() }
      const advance = await moveClock({ db, config }, move)
      return await once(async () => answerWith(200, advance, warnings))
    } finally {
      await letGo(db, hold)
    }
  },
})

/** Uses the same condition as tasks_age. */
async function refusalOf(db: Reader, agentId: string, now: Date): Promise<Error | undefined> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select 1 from tasks
             where agent_id = ${agentId} and rehearsal is not null
               and (ended_at is null or status = 'disputed' and ended_at > ${now}::timestamptz - interval '35 days')
             limit ${TEST_TASKS_OPEN_MAX + 1}) unfinished`.execute(db)
  return rows[0]!.count > TEST_TASKS_OPEN_MAX
    ? tooManyTestTasks({ limit: TEST_TASKS_OPEN_MAX })
    : undefined
}

interface MoveClock extends Hold {
  /** Identifies the request: a retry continues where it stopped, or returns the finished result. */
  key: string
  byMs: number
  now: Date
  /** Aborted when the client disconnects or this process shuts down. */
  wanted: AbortSignal
}

async function moveClock(
  stage: { db: Db; config: Config },
  { agentId, holder, key, byMs, now, wanted }: MoveClock,
): Promise<Advance> {
  const { db } = stage
  const of = { agentId, holder, key, now }
  await begin(db, { ...of, byMs })
  const end = performance.now() + BUDGET_MS
  const idle = new Map<string, number>()
  let isDone = false
  for (let steps = 0; !isDone && steps < STEPS_MAX && performance.now() < end; steps += 1) {
    const aside = new Set([...idle].flatMap(([id, tries]) => (tries >= TRIES ? id : [])))
    // Thrown, so that it isn't stored as a response: a retry continues.
    if (wanted.aborted) throw unavailable({ retry_after_seconds: 1 })
    const next = await db.transaction((tx) => age(tx, { ...of, config: stage.config, aside }))
    isDone = next === 'done'
    if (next === 'done') break
    const what = await fire(stage, next, now)
    if (what !== undefined) await note(db, of, { what, task_id: next.task_id })
    // Each delivery is attempted once per call, because its result is known only later.
    idle.set(nameOf(next), what === undefined ? (idle.get(nameOf(next)) ?? 0) + 1 : 0)
    if (next.what === 'webhooks.retry') idle.set(nameOf(next), TRIES)
    if (what === undefined && next.what !== 'rehearsal') await pause(TRY_AGAIN_MS)
  }
  return finish(db, of, isDone)
}

interface Of extends Hold {
  key: string
  now: Date
}

const nameOf = ({ what, id }: Moment) => `${what} ${id}`

async function begin(db: Db, { agentId, key, byMs, now }: Of & { byMs: number }): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .deleteFrom('test_advances')
      .where('agent_id', '=', agentId)
      .where('created_at', '<', new Date(now.getTime() - KEPT_MS))
      .execute()
    await tx
      .insertInto('test_advances')
      .values({ agent_id: agentId, key, by_ms: byMs, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/** One step: to the next due moment, or by the remaining time if that is sooner. */
async function age(
  tx: Tx,
  { agentId, holder, key, config, now, aside }: Of & { config: Config; aside: ReadonlySet<string> },
): Promise<Moment | 'done'> {
  // A call that was paused for longer than its lease lasts may have lost the clock to another call.
  if (!(await renewHold(tx, { agentId, holder }))) throw clockMoving({ retry_after_seconds: 1 })
  const { by_ms, moved_ms } = await findAdvance(tx, { agentId, key })
  const found = await nextMoments(tx, { agentId, config, now, limit: aside.size + 1 })
  const next = found.find((moment) => !aside.has(nameOf(moment)))
  const leftMs = by_ms - moved_ms
  const aheadMs = next === undefined ? Infinity : Math.max(0, next.at.getTime() - now.getTime())
  const stepMs = Math.min(leftMs, aheadMs)
  if (stepMs > 0) {
    await call(tx, 'tasks_age', { p_agent: agentId, p_ms: stepMs, p_now: now })
    // Lock workers after tasks, in the same order as move_tasks.
    await call(tx, 'workers_age', { p_agent: agentId, p_ms: stepMs })
    await tx
      .updateTable('test_clocks')
      .set((clock) => ({ moved_ms: clock('moved_ms', '+', stepMs) }))
      .where('agent_id', '=', agentId)
      .execute()
    await tx
      .updateTable('test_advances')
      .set({ moved_ms: moved_ms + stepMs })
      .where('agent_id', '=', agentId)
      .where('key', '=', key)
      .execute()
    // Lock lanes last and briefly: the relay writes to the lanes of all agents, live ones too, and waits for these.
    await call(tx, 'webhooks_age', { p_agent: agentId, p_ms: stepMs })
  }
  return next === undefined || aheadMs > leftMs ? 'done' : next
}

const findAdvance = (db: Reader, { agentId, key }: { agentId: string; key: string }) =>
  db
    .selectFrom('test_advances')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()

async function note(
  db: Db,
  { agentId, key }: Of,
  { what, task_id }: { what: string; task_id: string | null },
): Promise<void> {
  await sql`
    update test_advances
       set fired = (fired::jsonb || jsonb_build_object('at_s', moved_ms / 1000.0, 'what', ${what}::text,
                                                       'task_id', ${task_id}::text))::json
     where agent_id = ${agentId} and key = ${key}`.execute(db.reader)
}

async function finish(db: Db, { agentId, key }: Of, is_done: boolean): Promise<Advance> {
  const { moved_ms, fired } = await findAdvance(db.reader, { agentId, key })
  const clock = await db.reader
    .selectFrom('test_clocks')
    .select('moved_ms')
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  return {
    moved_s: moved_ms / 1000,
    total_moved_s: clock.moved_ms / 1000,
    is_done,
    fired: fired as Advance['fired'],
  }
}
