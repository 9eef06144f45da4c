import type { Reader } from '../../kit/db.ts'
import { columnOf, type Asker } from '../../questions/asker.ts'
import { threadOf } from '../../questions/thread.ts'
import {
  type Found,
  idFact,
  inOrder,
  moment,
  related,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'

const OTHERS_MAX = 20

/** A question of a worker or an agent, with its messages. It is answered beside them. */
export async function findQuestion({ background, id }: Sought): Promise<Found | undefined> {
  const found = await threadOf(background, id)
  if (found === undefined) return undefined
  const { question, asker, messages, language } = found
  const { reader } = background.db.shards.at(id)
  const others = await othersOf(reader, asker, id)
  const { subject, status, task_id, created_at, due_at, closes_at, closed_at, ended_for } = question
  return {
    id,
    kind: 'question',
    title: `Question about ${subject}`,
    status,
    mode: await modeOf(reader, asker),
    facts: [
      idFact(asker.kind === 'worker' ? 'Worker' : 'Agent', asker.id),
      task_id === null ? undefined : idFact('Task', task_id),
      textFact('Language', language),
      textFact('Messages', messages.length),
      status === 'open' ? timeFact('Answer due', due_at) : undefined,
      status === 'answered' ? timeFact('Closes automatically', closes_at) : undefined,
    ],
    thread: messages.map(({ at, ...message }) => ({ ...message, at: at.toISOString() })),
    timeline: inOrder([
      ...moment(created_at, 'Asked', { who: asker.id }),
      ...messages
        .slice(1)
        .flatMap(({ at, author, name }) =>
          moment(at, author === 'operator' ? 'Answered' : 'Wrote again', { who: name ?? asker.id }),
        ),
      ...moment(closed_at, `Closed: ${ended_for?.replace('_', ' ')}`),
    ]),
    related: [
      ...related(asker.kind, asker.id, asker.kind === 'worker' ? 'Worker' : 'Agent'),
      ...related('task', task_id, question.task_title ?? 'Task'),
      ...others.flatMap((other) =>
        related('question', other.id, `Question about ${other.subject}, ${other.status}`),
      ),
    ],
  }
}

const othersOf = (reader: Reader, asker: Asker, id: string) =>
  reader
    .selectFrom('questions')
    .select(['id', 'subject', 'status'])
    .where(columnOf(asker), '=', asker.id)
    .where('id', '<>', id)
    .orderBy('id', 'desc')
    .limit(OTHERS_MAX)
    .execute()

async function modeOf(reader: Reader, asker: Asker): Promise<Found['mode']> {
  const found = await reader
    .selectFrom(asker.kind === 'worker' ? 'workers' : 'agents')
    .select('mode')
    .where('id', '=', asker.id)
    .executeTakeFirst()
  return found?.mode ?? null
}
