/**
 * Ask the operators a question, about anything or about a task that the worker has or had.
 *
 *   called by   a worker. The same question again, while the first waits for its answer, returns the first
 *   moves       a question: (none) → open
 *   money       none
 *   event       none; operators see it in `ops waiting`
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { titleOf } from '../kit/words.ts'
import { assignmentNotFound } from '../tasks/errors.ts'
import { findOwnAssignment } from '../tasks/queries.ts'
import { TaskId } from '../tasks/view.ts'
import { lockWorker } from '../workers/decisions.ts'
import { testWorker } from '../workers/errors.ts'
import { tooManyOpenQuestions, tooManyQuestions } from './errors.ts'
import {
  addMessage,
  DAILY_MAX,
  dueAt,
  MessageText,
  OPEN_MAX,
  type Question,
  QuestionWithMessages,
  SUBJECTS,
  viewWithMessages,
} from './questions.ts'

const DAY_MS = 86_400_000

const Body = z.object({
  subject: z.enum(SUBJECTS),
  text: MessageText.min(10),
  task_id: TaskId.nullish().describe('A task that you have or had'),
})

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
  body: Body,
  success: { status: 201, body: z.object({ question: QuestionWithMessages }) },
  errors: [testWorker, assignmentNotFound, tooManyOpenQuestions, tooManyQuestions],

  async handler({ tx, runAt, shards, worker, body, config, now }) {
    if (worker.mode === 'test') throw testWorker()
    const { subject, text, task_id: taskId } = body
    const about = taskId
      ? await runAt(shards.at(taskId), (of) => titledTask(of, { taskId, workerId: worker.id }))
      : null
    const asked = { workerId: worker.id, subject, text, about, config, now }
    const question = await askQuestion(tx, asked)
    return { question: await viewWithMessages(tx, question) }
  },
})

interface AskQuestion extends Pick<z.output<typeof Body>, 'subject' | 'text'> {
  workerId: string
  about: { id: string; title: string } | null
  config: Pick<Config, 'QUESTION_HOURS' | 'QUESTION_SAFETY_HOURS'>
  now: Date
}

async function askQuestion(
  tx: Tx,
  { workerId, subject, text, about, config, now }: AskQuestion,
): Promise<Question> {
  // Serializes concurrent questions of one worker, so that they can't exceed the bounds together.
  await lockWorker(tx, workerId)
  const same = await findSame(tx, { workerId, subject, taskId: about?.id ?? null, text })
  if (same !== undefined) return same
  await refuseTooMany(tx, { workerId, now })

  const question = await tx
    .insertInto('questions')
    .values({
      id: mintId('wqn', now, shardOf(workerId)),
      worker_id: workerId,
      subject,
      task_id: about?.id ?? null,
      task_title: about?.title ?? null,
      created_at: now,
      waits_since: now,
      due_at: dueAt(subject, { config, now }),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await addMessage(tx, question, { number: 1, text, now })
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
    workerId,
    subject,
    taskId,
    text,
  }: { workerId: string; subject: Question['subject']; taskId: string | null; text: string },
): Promise<Question | undefined> =>
  tx
    .selectFrom('questions')
    .selectAll()
    .where('worker_id', '=', workerId)
    .where('status', '=', 'open')
    .where('subject', '=', subject)
    .where('task_id', 'is not distinct from', taskId)
    .where((question) =>
      question.exists(
        question
          .selectFrom('question_messages')
          .select('question_messages.id')
          .whereRef('question_messages.question_id', '=', 'questions.id')
          .where('question_messages.worker_id', '=', workerId)
          .where('number', '=', 1)
          .where('text', '=', text),
      ),
    )
    .executeTakeFirst()

async function refuseTooMany(
  tx: Tx,
  { workerId, now }: { workerId: string; now: Date },
): Promise<void> {
  const mine = tx.selectFrom('questions').where('worker_id', '=', workerId)
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
