/**
 * Ask the operators a question, about anything or about a task that the worker has or had.
 *
 *   called by   a worker, and an agent through ask-as-agent.ts. The same question again without photos, while the first
 *               waits for its answer, returns the first
 *   moves       a question: (none) → open
 *   money       none
 *   event       none; operators see it in `ops waiting` and at the desk
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { tooManyFiles } from '../files/errors.ts'
import type { Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { titleOf } from '../kit/words.ts'
import { assignmentNotFound } from '../tasks/errors.ts'
import { findOwnAssignment } from '../tasks/queries.ts'
import { TaskId } from '../tasks/view.ts'
import { lockWorker } from '../workers/decisions.ts'
import { testWorker } from '../workers/errors.ts'
import { type Asker, columnOf, type Question } from './asker.ts'
import { tooManyOpenQuestions, tooManyQuestions } from './errors.ts'
import { Photos, PHOTOS_BODY_MAX_BYTES, takePhotos } from './photos.ts'
import {
  addMessage,
  DAILY_MAX,
  dueAt,
  MessageText,
  OPEN_MAX,
  QuestionWithMessages,
  Subject,
  viewWithMessages,
} from './questions.ts'

const DAY_MS = 86_400_000
const TEXT_MIN = 10

export const QuestionText = MessageText.min(TEXT_MIN)

export const ask = endpoint({
  method: 'POST',
  path: '/worker/questions',
  name: 'createQuestion',
  auth: 'worker',
  access: { mode: 'live' },
  summary: 'Ask a person',
  description:
    'An operator reads it and answers by `due_at`; you get a notice. Questions about safety come ' +
    'first. In an emergency, call the local emergency number instead.',
  body: z.object({
    subject: Subject,
    text: QuestionText,
    task_id: TaskId.nullish().describe('A task that you have or had'),
    photos: Photos,
  }),
  bodyMaxBytes: PHOTOS_BODY_MAX_BYTES,
  success: { status: 201, body: z.object({ question: QuestionWithMessages }) },
  errors: [testWorker, assignmentNotFound, tooManyOpenQuestions, tooManyQuestions, tooManyFiles],

  transaction: 'own',
  async handler({ db, shards, worker, body, config, now, warnings, recall, once }) {
    const earlier = await recall()
    if (earlier !== undefined) return earlier
    if (worker.mode === 'test') throw testWorker()
    const { subject, text, task_id: taskId, photos } = body
    const asker = { kind: 'worker', id: worker.id } as const
    const photoIds = await takePhotos(db.reader, { asker, photos, config, now })
    return once(async (tx, runAt) => {
      const about = taskId
        ? await runAt(shards.at(taskId), (of) => titledTask(of, { taskId, workerId: worker.id }))
        : null
      // Serializes concurrent questions of one worker, so that they can't exceed the bounds together.
      await lockWorker(tx, worker.id)
      const question = await askQuestion(tx, { asker, subject, text, photoIds, about, config, now })
      const shown = await viewWithMessages<'worker'>(tx, question, { config, now })
      return answerWith(201, { question: shown }, warnings)
    })
  },
})

interface AskQuestion {
  asker: Asker
  subject: Question['subject']
  text: string
  photoIds: string[]
  about: { id: string; title: string } | null
  config: Pick<Config, 'QUESTION_HOURS' | 'QUESTION_SAFETY_HOURS'>
  now: Date
}

/** The caller has locked the asker. */
export async function askQuestion(
  tx: Tx,
  { asker, subject, text, photoIds, about, config, now }: AskQuestion,
): Promise<Question> {
  // Photos may differ, so only the idempotency key tells that a question with photos is a repetition.
  if (photoIds.length === 0) {
    const same = await findSame(tx, { asker, subject, taskId: about?.id ?? null, text })
    if (same !== undefined) return same
  }
  await refuseTooMany(tx, { asker, now })

  const { kind, id: askerId } = asker
  const question = await tx
    .insertInto('questions')
    .values({
      id: mintId('wqn', now, shardOf(askerId)),
      worker_id: kind === 'worker' ? askerId : '',
      agent_id: kind === 'agent' ? askerId : '',
      subject,
      task_id: about?.id ?? null,
      task_title: about?.title ?? null,
      created_at: now,
      waits_since: now,
      due_at: dueAt(subject, { config, now }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addMessage(tx, question, { number: 1, text, photoIds, now })
  return question
}

async function titledTask(
  tx: Tx,
  own: { taskId: string; workerId: string },
): Promise<{ id: string; title: string }> {
  const { task } = await findOwnAssignment(tx, own)
  return { id: task.id, title: task.title ?? titleOf(task.description) }
}

const findSame = (
  tx: Tx,
  {
    asker,
    subject,
    taskId,
    text,
  }: Pick<AskQuestion, 'asker' | 'subject' | 'text'> & {
    taskId: string | null
  },
): Promise<Question | undefined> =>
  tx
    .selectFrom('questions')
    .selectAll()
    .where(columnOf(asker), '=', asker.id)
    .where('status', '=', 'open')
    .where('subject', '=', subject)
    .where('task_id', 'is not distinct from', taskId)
    .where((question) =>
      question.exists(
        question
          .selectFrom('question_messages')
          .select('question_messages.id')
          .whereRef('question_messages.question_id', '=', 'questions.id')
          .where(`question_messages.${columnOf(asker)}`, '=', asker.id)
          .where('number', '=', 1)
          .where('text', '=', text),
      ),
    )
    .executeTakeFirst()

async function refuseTooMany(tx: Tx, { asker, now }: { asker: Asker; now: Date }): Promise<void> {
  const mine = tx.selectFrom('questions').where(columnOf(asker), '=', asker.id)
  const { open } = await mine
    .select((select) => select.fn.countAll<number>().as('open'))
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow()
  if (open >= OPEN_MAX) throw tooManyOpenQuestions()
  const today = await mine
    .select('created_at')
    .where('created_at', '>', new Date(now.getTime() - DAY_MS))
    .orderBy('created_at')
    .execute()
  if (today.length < DAILY_MAX) return
  const first = today.at(-DAILY_MAX)!.created_at
  throw tooManyQuestions({ retry_at: new Date(first.getTime() + DAY_MS).toISOString() })
}
