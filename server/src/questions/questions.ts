/** A worker's question to the operators, and its messages. An operator answers; the worker can write again. */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader, Tx } from '../kit/db.ts'
import { idOf, mintId, shardOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import type { Schema } from '../kit/schema.ts'

export type Question = Selectable<Schema['questions']>
export type QuestionMessage = Selectable<Schema['question_messages']>
export type EndedFor = NonNullable<Question['ended_for']>

export const SUBJECTS = ['payment', 'task', 'dispute', 'account', 'safety', 'other'] as const
const STATUSES = ['open', 'answered', 'closed'] as const

/** A worker's questions that wait for an answer at a time. */
export const OPEN_MAX = 3
/** Questions of a worker in 24 hours. */
export const DAILY_MAX = 10
/** The last message is the operator's. The database enforces both numbers. */
export const MESSAGES_MAX = { worker: 19, operator: 20 } as const
export const TEXT_MAX = 2000

const HOUR_MS = 3_600_000

export const QuestionId = idOf('wqn', 'a question')
export const MessageText = z.string().trim().min(1).max(TEXT_MAX).describe('Read by an operator')

export const QuestionView = named(
  'Question',
  z.object({
    id: z.string(),
    subject: z.enum(SUBJECTS),
    status: z
      .enum(STATUSES)
      .describe(
        'open: waits for our answer; answered: you can write again until closes_at; closed: final',
      ),
    text: z.string().describe('Your first message'),
    task_id: z.string().nullable(),
    task_title: z.string().nullable(),
    created_at: z.iso.datetime(),
    due_at: z.iso.datetime().nullable().describe('open: when we answer at the latest'),
    closes_at: z.iso.datetime().nullable().describe('answered: when it is closed automatically'),
    closed_at: z.iso.datetime().nullable(),
    message_count: z.int(),
    can_reply: z.boolean().describe('Whether you can write another message'),
  }),
)

export const QuestionWithMessages = named(
  'QuestionWithMessages',
  QuestionView.extend({
    messages: z.array(
      named(
        'QuestionMessage',
        z.object({
          number: z.int(),
          author: z.enum(['worker', 'operator']),
          text: z.string(),
          at: z.iso.datetime(),
        }),
      ),
    ),
  }),
)

/** `text`: the first message. */
export const viewQuestion = (question: Question, text: string): z.input<typeof QuestionView> => ({
  id: question.id,
  subject: question.subject,
  status: question.status,
  text,
  task_id: question.task_id,
  task_title: question.task_title,
  created_at: question.created_at.toISOString(),
  due_at: question.due_at?.toISOString() ?? null,
  closes_at: question.closes_at?.toISOString() ?? null,
  closed_at: question.closed_at?.toISOString() ?? null,
  message_count: question.message_count,
  can_reply: question.status !== 'closed' && question.message_count < MESSAGES_MAX.worker,
})

export async function viewWithMessages(
  db: Reader,
  question: Question,
): Promise<z.input<typeof QuestionWithMessages>> {
  const messages = await messagesOf(db, question)
  return {
    ...viewQuestion(question, messages[0]!.text),
    messages: messages.map(({ number, author, text, created_at }) => ({
      number,
      author,
      text,
      at: created_at.toISOString(),
    })),
  }
}

export const messagesOf = (
  db: Reader,
  { id, worker_id }: Pick<Question, 'id' | 'worker_id'>,
): Promise<QuestionMessage[]> =>
  db
    .selectFrom('question_messages')
    .selectAll()
    .where('question_id', '=', id)
    .where('worker_id', '=', worker_id)
    .orderBy('number')
    .execute()

/** Locks a question until the transaction ends; undefined if the worker has no such question. */
export const lockQuestion = (
  tx: Tx,
  { id, workerId }: { id: string; workerId: string },
): Promise<Question | undefined> =>
  tx
    .selectFrom('questions')
    .selectAll()
    .where('id', '=', id)
    .where('worker_id', '=', workerId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** For operators and timers: locks a question of any worker. */
export const lockAnyQuestion = (tx: Tx, id: string): Promise<Question | undefined> =>
  tx.selectFrom('questions').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** When an answer is due: sooner if somebody may be in danger. */
export function dueAt(
  subject: Question['subject'],
  { config, now }: { config: Pick<Config, 'QUESTION_HOURS' | 'QUESTION_SAFETY_HOURS'>; now: Date },
): Date {
  const hours = subject === 'safety' ? config.QUESTION_SAFETY_HOURS : config.QUESTION_HOURS
  return new Date(now.getTime() + hours * HOUR_MS)
}

/** Adds the message with the given number to a locked question. */
export async function addMessage(
  tx: Tx,
  { id, worker_id }: Pick<Question, 'id' | 'worker_id'>,
  {
    number,
    operator = null,
    text,
    now,
  }: { number: number; operator?: string | null; text: string; now: Date },
): Promise<string> {
  const messageId = mintId('wqm', now, shardOf(worker_id))
  await tx
    .insertInto('question_messages')
    .values({
      id: messageId,
      question_id: id,
      worker_id,
      number,
      author: operator === null ? 'worker' : 'operator',
      operator,
      text,
      created_at: now,
    })
    .execute()
  return messageId
}

type Changes = Partial<
  Pick<
    Question,
    'status' | 'message_count' | 'waits_since' | 'due_at' | 'closes_at' | 'closed_at' | 'ended_for'
  >
>

export const updateQuestion = (
  tx: Tx,
  { id, worker_id }: Pick<Question, 'id' | 'worker_id'>,
  becomes: Changes,
): Promise<Question> =>
  tx
    .updateTable('questions')
    .set(becomes)
    .where('id', '=', id)
    .where('worker_id', '=', worker_id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** Closes a locked question. */
export const closeLocked = (
  tx: Tx,
  question: Question,
  { endedFor, now }: { endedFor: EndedFor; now: Date },
): Promise<Question> =>
  updateQuestion(tx, question, {
    status: 'closed',
    waits_since: null,
    due_at: null,
    closes_at: null,
    closed_at: now,
    ended_for: endedFor,
  })
