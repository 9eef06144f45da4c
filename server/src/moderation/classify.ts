/**
 * Ask the classifier about a doubtful task. It decides if it is sure; otherwise the task keeps waiting for an operator.
 *
 *   called by   the event screening.classify; the clock, for tasks that no classifier has judged yet
 *   moves       allowed: none, workers see the task; not allowed: pending → cancelled
 *   money       not allowed: escrow → wallet, or promotional fund for a free task
 *   event       not allowed: task.cancelled, with the section of the policy
 */
import { type Background, job } from '../kit/job.ts'
import { classify as askClassifier, type Opinion } from '../screening/classifier.ts'
import { policyUrl } from '../screening/policy.ts'
import { lockWork } from '../tasks/queries.ts'
import { askWhenDue } from '../webhooks/ask-when-due.ts'
import { Work } from '../webhooks/record-event.ts'
import { endScreening } from './screenings.ts'

const PAUSE_MS = 2 * 60_000
/** After so many calls without an answer, only a person decides. */
const TRIES_MAX = 3

export const classify = job({
  name: 'moderation.classify',
  payload: Work,
  attemptsMax: 1,
  events: ['screening.classify'],

  async run({ payload, ...background }) {
    await classifyTask(background, payload.data.id)
  },
})

export const classificationsDue = askWhenDue({
  name: 'moderation.classify-due',
  isOn: ({ CLASSIFIER_URL }) => CLASSIFIER_URL !== undefined,

  due: (db, { now, limit }) =>
    db
      .selectFrom('screenings')
      .select('task_id as id')
      .where('decision', 'is', null)
      .where('opinion', 'is', null)
      .where('classify_tries', '<', TRIES_MAX)
      .where('classify_at', '<=', now)
      .orderBy('classify_at')
      .limit(limit)
      .execute(),

  async putOff(tx, { ids, now }) {
    const due = await tx
      .updateTable('screenings')
      .set((eb) => ({
        classify_at: new Date(now.getTime() + PAUSE_MS),
        classify_tries: eb('classify_tries', '+', 1),
      }))
      .where('task_id', 'in', ids)
      .where('decision', 'is', null)
      .where('classify_at', '<=', now)
      .returning('task_id')
      .execute()
    return due.map(({ task_id }) => ({ type: 'screening.classify', id: task_id }))
  },
})

/** Safe to run twice: only a task that still waits is decided. */
async function classifyTask(background: Background, taskId: string): Promise<void> {
  const { db, config, log } = background
  const task = await db.reader
    .selectFrom('tasks')
    .innerJoin('screenings', 'screenings.task_id', 'tasks.id')
    .select([
      'agent_id',
      'title',
      'description',
      'context',
      'location',
      'criteria',
      'answer_schema',
    ])
    .where('tasks.id', '=', taskId)
    .where('screenings.decision', 'is', null)
    .where('screenings.opinion', 'is', null)
    .executeTakeFirst()
  if (task === undefined) return
  const { agent_id: agentId, ...screened } = task
  const opinion = await askClassifier(config, screened)
  if (opinion.verdict === 'unsure')
    log.info({ task_id: taskId, why: opinion.why }, 'the classifier did not decide')
  await record(background, { taskId, agentId, opinion })
}

async function record(
  { db, config, clock }: Background,
  { taskId, agentId, opinion }: { taskId: string; agentId: string; opinion: Opinion },
): Promise<void> {
  const now = clock.now()
  await db.transaction(async (tx) => {
    const work = await lockWork(tx, { taskId, agentId })
    if (opinion.verdict !== 'unsure' || opinion.isAnswer)
      await tx
        .updateTable('screenings')
        .set({ opinion: opinion.verdict })
        .where('task_id', '=', taskId)
        .where('decision', 'is', null)
        .execute()
    if (opinion.verdict === 'allowed') await endScreening(tx, work, { decision: 'cleared', now })
    if (opinion.verdict === 'not_allowed')
      await endScreening(tx, work, {
        decision: 'refused',
        note:
          `The policy doesn’t allow this task: ${policyUrl(config, opinion.section)}. A program decided this; ` +
          'if it is wrong, ask a person with POST /agents/questions.',
        now,
      })
  })
}
