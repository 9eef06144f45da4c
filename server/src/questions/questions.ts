/**
 * A question of a worker or an agent to the operators, and its messages. An operator answers; the asker can write
 * again.
 */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader, Tx } from '../kit/db.ts'
import { idOf, mintId, shardOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import type { Schema } from '../kit/schema.ts'
import { type Asker, askerOf, columnOf, type Question } from './asker.ts'
import { attachPhotos, photosOf, QuestionPhoto, viewPhoto } from './photos.ts'

export type QuestionMessage = Selectable<Schema['question_messages']>
export type EndedFor = NonNullable<Question['ended_for']>

const SUBJECTS = ['payment', 'task', 'dispute', 'account', 'safety', 'other'] as const
const AGENT_SUBJECTS = [
  'billing',
  'task',
  'dispute',
  'account',
  'webhook',
  'safety',
  'other',
] as const
export const Subject = z.enum(SUBJECTS)
export const AgentSubject = z.enum(AGENT_SUBJECTS)
const STATUSES = ['open', 'answered', 'closed'] as const

/** Questions of a worker or an agent that wait for an answer at a time. */
export const OPEN_MAX = 3
/** Questions of a worker or an agent in 24 hours. */
export const DAILY_MAX = 10
/** The last message is the operator's. The database enforces both numbers. */
export const MESSAGES_MAX = { asker: 19, operator: 20 } as const
export const TEXT_MAX = 2000

const HOUR_MS = 3_600_000

export const QuestionId = idOf('wqn', 'a question')
export const MessageText = z.string().trim().min(1).max(TEXT_MAX).describe('Read by an operator')

const fields = {
  id: z.string(),
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
}

const messageFields = {
  number: z.int(),
  text: z.string(),
  at: z.iso.datetime(),
  photos: z.array(QuestionPhoto),
}

export const QuestionView = named('Question', z.object({ subject: Subject, ...fields }))

export const QuestionWithMessages = named(
  'QuestionWithMessages',
  QuestionView.extend({
    messages: z.array(
      named(
        'QuestionMessage',
        z.object({ author: z.enum(['worker', 'operator']), ...messageFields }),
      ),
    ),
  }),
)

export const AgentQuestionView = named(
  'AgentQuestion',
  z.object({ subject: AgentSubject, ...fields }),
)

export const AgentQuestionWithMessages = named(
  'AgentQuestionWithMessages',
  AgentQuestionView.extend({
    messages: z.array(
      named(
        'AgentQuestionMessage',
        z.object({ author: z.enum(['agent', 'operator']), ...messageFields }),
      ),
    ),
  }),
)

type ViewOf<A extends Asker['kind']> = z.input<
  A extends 'agent' ? typeof AgentQuestionView : typeof QuestionView
>
type ThreadOf<A extends Asker['kind']> = z.input<
  A extends 'agent' ? typeof AgentQuestionWithMessages : typeof QuestionWithMessages
>

/** `text`: the first message. The database allows only subjects that one of the two kinds of askers has. */
export const viewQuestion = <A extends Asker['kind']>(question: Question, text: string) =>
  ({
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
    can_reply: question.status !== 'closed' && question.message_count < MESSAGES_MAX.asker,
  }) as ViewOf<A>

export async function viewWithMessages<A extends Asker['kind']>(
  db: Reader,
  question: Question,
  { config, now }: { config: Config; now: Date },
): Promise<ThreadOf<A>> {
  const messages = await messagesOf(db, question)
  const photos = await photosOf(db, question)
  const viewed = messages.map(async ({ number, author, text, created_at }) => ({
    number,
    author,
    text,
    at: created_at.toISOString(),
    photos: await Promise.all(
      photos
        .filter(({ message_number }) => message_number === number)
        .map((photo) => viewPhoto(photo, { config, now })),
    ),
  }))
  return {
    ...viewQuestion<A>(question, messages[0]!.text),
    messages: await Promise.all(viewed),
  } as ThreadOf<A>
}

/** Finds a question of this asker. */
export const findQuestion = (
  db: Reader,
  { id, asker }: { id: string; asker: Asker },
): Promise<Question | undefined> =>
  db
    .selectFrom('questions')
    .selectAll()
    .where('id', '=', id)
    .where(columnOf(asker), '=', asker.id)
    .executeTakeFirst()

type Owned = Pick<Question, 'id' | 'worker_id' | 'agent_id'>

export const messagesOf = (
  db: Reader,
  { id, worker_id, agent_id }: Owned,
): Promise<QuestionMessage[]> =>
  db
    .selectFrom('question_messages')
    .selectAll()
    .where('question_id', '=', id)
    .where('worker_id', '=', worker_id)
    .where('agent_id', '=', agent_id)
    .orderBy('number')
    .execute()

/** Locks a question until the transaction ends; undefined if the asker has no such question. */
export const lockQuestion = (
  tx: Tx,
  { id, asker }: { id: string; asker: Asker },
): Promise<Question | undefined> =>
  tx
    .selectFrom('questions')
    .selectAll()
    .where('id', '=', id)
    .where(columnOf(asker), '=', asker.id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** For operators and timers: locks anybody's question. */
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

interface NewMessage {
  number: number
  text: string
  photoIds?: string[]
  /** An answer: who gives it, and since when the asker has waited for one. */
  answer?: { operator: string; waitsSince: Date | null }
  now: Date
}

/** Adds the message with the given number to a locked question. */
export async function addMessage(
  tx: Tx,
  question: Question,
  { number, text, photoIds = [], answer, now }: NewMessage,
): Promise<string> {
  const { id, worker_id, agent_id } = question
  const asker = askerOf(question)
  const messageId = mintId('wqm', now, shardOf(asker.id))
  const since = answer?.waitsSince ?? null
  await tx
    .insertInto('question_messages')
    .values({
      id: messageId,
      question_id: id,
      worker_id,
      agent_id,
      number,
      author: answer === undefined ? asker.kind : 'operator',
      operator: answer?.operator ?? null,
      text,
      waited_seconds: since && Math.round((now.getTime() - since.getTime()) / 1000),
      created_at: now,
    })
    .execute()
  await attachPhotos(tx, question, { photoIds, messageNumber: number })
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
  { id, worker_id, agent_id }: Owned,
  becomes: Changes,
): Promise<Question> =>
  tx
    .updateTable('questions')
    .set(becomes)
    .where('id', '=', id)
    .where('worker_id', '=', worker_id)
    .where('agent_id', '=', agent_id)
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
