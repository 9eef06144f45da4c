/** The feed of a test-mode worker: its agent's open test tasks without a scripted worker, newest first. */
import { sql } from 'kysely'
import { reputationsOf } from '../agents/reputations.ts'
import type { Db } from '../kit/db.ts'
import { slotsOf } from '../tasks/moves.ts'
import { type Card, viewCard } from './card.ts'
import { pointOf, projectionOf } from './project-open.ts'
import { risksOf } from './risks.ts'
import type { Seeker } from './seeker.ts'

export async function testModeCards(
  db: Db,
  seeker: Seeker,
  { agentId, limit, offset }: { agentId: string; limit: number; offset: number },
): Promise<Card[]> {
  const tasks = await db.reader
    .selectFrom('tasks')
    .innerJoin('agents', 'agents.id', 'tasks.agent_id')
    .selectAll('tasks')
    .select('agents.name as agent_name')
    .where('tasks.agent_id', '=', agentId)
    .where('tasks.mode', '=', 'test')
    // Matches the predicate of the index tasks_of_clock.
    .where('tasks.rehearsal', 'is not', null)
    .where('tasks.ended_at', 'is', null)
    .where(sql<boolean>`tasks.rehearsal ->> 'persona' in ('me', 'nobody')`)
    .where('tasks.status', 'in', ['pending', 'in_progress'])
    .where('tasks.deadline', '>', seeker.now)
    .where('tasks.reported_at', 'is', null)
    .where(sql<boolean>`tasks.slots_taken < tasks.consensus_count + tasks.slots_extra`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('assignments')
            .select('assignments.id')
            .whereRef('assignments.task_id', '=', 'tasks.id')
            .where('assignments.worker_id', '=', seeker.workerId),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('task_reports')
            .select('task_reports.task_id')
            .whereRef('task_reports.task_id', '=', 'tasks.id')
            .where('task_reports.worker_id', '=', seeker.workerId)
            .where('task_reports.verdict', 'is', null),
        ),
      ),
    )
    .orderBy('tasks.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const reputation = (await reputationsOf(db.reader, [agentId], seeker.now)).get(agentId)!
  return tasks.map((task) => {
    const { area, lat, lng, ...projection } = projectionOf(task, reputation)
    const row = {
      ...projection,
      skill_count: task.skills.length + task.languages.length,
      deadline_ms: task.deadline.getTime(),
      distance_km: null,
    }
    const risks = risksOf(task, pointOf({ lat, lng }))
    const card = { ...task, slots_needed: slotsOf(task), area, lat, lng, risks }
    return viewCard(card, row, reputation, seeker)
  })
}
