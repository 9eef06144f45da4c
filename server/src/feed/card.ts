/** A task as a worker sees it before accepting it: everything needed to decide, except the exact place. */
import { sql } from 'kysely'
import { z } from 'zod'
import { AgentView, viewAgent } from '../agents/public-view.ts'
import { type Reputation, reputationOf, reputationsOf } from '../agents/reputations.ts'
import { call } from '../kit/call.ts'
import type { Db, Reader } from '../kit/db.ts'
import { named } from '../kit/named.ts'
import { titleOf } from '../kit/words.ts'
import { Urgency } from '../tasks/deadline.ts'
import { ProofKind, TaskType } from '../tasks/fields.ts'
import { lackedFor } from '../tasks/matching.ts'
import { slotsOf } from '../tasks/moves.ts'
import type { Task } from '../tasks/queries.ts'
import { TaskStatus } from '../tasks/status.ts'
import { lacksNothing } from '../workers/abilities.ts'
import { isShown, pointOf, projectionOf } from './project-open.ts'
import { Risk, risksOf } from './risks.ts'
import type { Row } from './rows.ts'
import { Because, becauseOf, EST_MINUTES, inWords, scoreOf } from './score.ts'
import type { Seeker } from './seeker.ts'

const Missing = z
  .object({ skills: z.array(z.string()), languages: z.array(z.string()) })
  .describe('What your profile lacks for this task; the feed does not show such tasks')

export const Card = named(
  'FeedCard',
  z.object({
    id: z.string(),
    agent_id: z.string(),
    status: TaskStatus,
    type: TaskType,
    title: z.string(),
    description: z.string(),
    urgency: Urgency,
    proof_required: ProofKind,
    budget_cents: z.int(),
    you_earn_cents: z.int().describe('After the commission'),
    est_minutes: z.int(),
    created_at: z.iso.datetime(),
    deadline: z.iso.datetime(),
    distance_km: z
      .number()
      .nullable()
      .describe('Accurate to about 100 meters; null without a location'),
    area: z.string().nullable().describe('The exact location is shown after you accept'),
    near: z
      .object({ lat: z.number(), lng: z.number() })
      .nullable()
      .describe('Position on a map, accurate to about 1 km'),
    languages: z.array(z.string()).describe('Language tags that the task requires'),
    risks: z
      .array(Risk)
      .describe('What to know before you accept: `alone` only with night or private ground'),
    slots: z.object({ needed: z.int(), free: z.int() }),
    auto_approve_after: z.int().describe('Seconds after the last proof'),
    agent: AgentView,
    match: named(
      'FeedMatch',
      z.object({
        score: z.number(),
        reasons: z.array(z.string()).describe('In English'),
        because: z.array(Because).describe('The same as structured data, for translation'),
      }),
    ),
    locked: z
      .object({ required_level: z.int() })
      .optional()
      .describe('One level above yours: a task that you could take next'),
    missing: Missing.optional(),
  }),
)
export type Card = z.output<typeof Card>

/** Card fields that are not part of the feed's projection. */
export interface CardRow
  extends Pick<
    Task,
    | 'id'
    | 'title'
    | 'description'
    | 'urgency'
    | 'proof_required'
    | 'budget_cents'
    | 'auto_approve_after'
    | 'slots_taken'
    | 'skills'
    | 'languages'
    | 'status'
    | 'created_at'
  > {
  slots_needed: number
  area: string | null
  lat: number | null
  lng: number | null
  agent_name: string
  risks: readonly Risk[]
}

/** Returns cards in the order of the rows, without tasks that were taken in the meantime. */
export async function showCards(db: Db, rows: Row[], seeker: Seeker): Promise<Card[]> {
  const cards = await readCards(db, rows, seeker)
  return cards.map(({ card, row, reputation }) => viewCard(card, row, reputation, seeker))
}

export async function readCards({ shards }: Db, rows: Row[], seeker: Seeker) {
  if (rows.length === 0) return []
  const { skills, languages, now } = seeker
  const ids = rows.map(({ task_id }) => task_id)
  const [cards, risky] = await Promise.all([
    call(shards.feed, 'feed_cards', {
      p_ids: ids,
      p_skills: skills,
      p_languages: languages,
      p_now: now,
    }),
    readRisks(shards.feed.reader, ids),
  ])
  const found = new Map<string, FoundCard>(
    cards.map((card) => [
      card.id,
      { card: { ...card, risks: risky.get(card.id) ?? [] }, reputation: reputationOf(card) },
    ]),
  )
  const missing = ids.filter((id) => !found.has(id))
  const read = [...Map.groupBy(missing, shards.at)].map(([{ reader }, some]) =>
    readFromTasks(reader, some, seeker),
  )
  for (const one of (await Promise.all(read)).flat()) found.set(one.card.id, one)
  return rows.flatMap((row) => {
    const one = found.get(row.task_id)
    return one === undefined ? [] : [{ ...one, row }]
  })
}

/** Most tasks have no risk. */
async function readRisks(feed: Reader, taskIds: string[]): Promise<Map<string, Risk[]>> {
  const rows = await feed
    .selectFrom('open_cards')
    .select(['task_id', 'risks'])
    .where('task_id', '=', sql<string>`any(${taskIds})`)
    .where('risks', '<>', sql<string[]>`'{}'`)
    .execute()
  return new Map(rows.map(({ task_id, risks }) => [task_id, z.array(Risk).parse(risks)]))
}

interface FoundCard {
  card: CardRow
  reputation: Reputation
}

/**
 * Cards of rows for which the feed has none. Release 0.1.0 adds rows without cards, and those that it has left get
 * theirs from the next hourly comparison. Most often the task was taken after its row was read; then it has no card
 * here either.
 */
async function readFromTasks(db: Reader, taskIds: string[], seeker: Seeker): Promise<FoundCard[]> {
  const tasks = await db
    .selectFrom('tasks')
    .innerJoin('agents', 'agents.id', 'tasks.agent_id')
    .selectAll('tasks')
    .select('agents.name as agent_name')
    .where('tasks.id', '=', sql<string>`any(${taskIds})`)
    .execute()
  const open = tasks.filter(
    (task) => isShown(task, seeker.now) && lacksNothing(lackedFor(task, seeker)),
  )
  const agentIds = open.map(({ agent_id }) => agent_id)
  const reputations = await reputationsOf(db, agentIds, seeker.now)
  return open.map((task) => {
    const reputation = reputations.get(task.agent_id)!
    const { area, lat, lng } = projectionOf(task, reputation)
    const risks = risksOf(task, pointOf({ lat, lng }))
    return { card: { ...task, slots_needed: slotsOf(task), area, lat, lng, risks }, reputation }
  })
}

export function viewCard(card: CardRow, row: Row, reputation: Reputation, seeker: Seeker): Card {
  const had = card.skills.filter((skill) => seeker.skills.includes(skill))
  const because = becauseOf(row, had, seeker)
  return {
    ...viewOutline(card, row),
    agent_id: row.agent_id,
    status: card.status,
    created_at: card.created_at.toISOString(),
    description: card.description,
    urgency: card.urgency,
    budget_cents: card.budget_cents,
    near: nearOf(card),
    languages: card.languages,
    risks: [...card.risks],
    slots: { needed: card.slots_needed, free: card.slots_needed - card.slots_taken },
    auto_approve_after: card.auto_approve_after,
    agent: viewAgent({ id: row.agent_id, name: card.agent_name }, reputation),
    match: { score: scoreOf(row, seeker), reasons: because.map(inWords), because },
    ...(row.level_needed > seeker.level ? { locked: { required_level: row.level_needed } } : {}),
  }
}

/** The public part of a card. */
export const viewOutline = (card: CardRow, row: Row) => ({
  id: card.id,
  type: row.type,
  title: card.title ?? titleOf(card.description),
  you_earn_cents: row.pay_cents,
  est_minutes: EST_MINUTES[row.type],
  proof_required: card.proof_required,
  distance_km: row.distance_km === null ? null : Math.round(row.distance_km * 10) / 10,
  area: card.area,
  deadline: new Date(row.deadline_ms).toISOString(),
})

function nearOf({ lat, lng }: CardRow): Card['near'] {
  if (lat === null || lng === null) return null
  return { lat: hundredths(lat), lng: hundredths(lng) }
}

const hundredths = (degrees: number) => Math.round(degrees * 100) / 100
