/** A question as operators see it: all messages, with who answered, and how many photos each has. */
import type { Selectable } from 'kysely'
import type { Background } from '../kit/job.ts'
import type { Reader } from '../kit/db.ts'
import type { Schema } from '../kit/schema.ts'
import { askerOf, type Asker, type Question } from './asker.ts'
import { photosOf, viewPhoto } from './photos.ts'
import { messagesOf } from './questions.ts'

export interface ThreadMessage {
  number: number
  author: 'worker' | 'agent' | 'operator'
  /** The operator who answered. Workers and agents don't see it. */
  name: string | null
  text: string
  at: Date
  /** The numbers of its photos among those of the question. The pictures themselves need a look. */
  attachments: { n: number; kind: 'photo' }[]
}

export interface Thread {
  question: Question
  asker: Asker
  /** In which the asker reads. */
  language: Language
  messages: ThreadMessage[]
}

type Language = Selectable<Schema['workers']>['app_language']

export async function threadOf(
  { db }: Pick<Background, 'db'>,
  id: string,
): Promise<Thread | undefined> {
  const { reader } = db.shards.at(id)
  const question = await findAny(reader, id)
  if (question === undefined) return undefined
  const [messages, photos, language] = await Promise.all([
    messagesOf(reader, question),
    photosOf(reader, question),
    languageOf(reader, question),
  ])
  const names = await namesOf(
    db.shards.global.reader,
    messages.flatMap(({ operator }) => operator ?? []),
  )
  return {
    question,
    asker: askerOf(question),
    language,
    messages: messages.map(({ number, author, operator, text, created_at }) => ({
      number,
      author: author as ThreadMessage['author'],
      name: operator === null ? null : (names.get(operator) ?? operator),
      text,
      at: created_at,
      attachments: photos
        .filter(({ message_number }) => message_number === number)
        .map((photo) => ({ n: photo.number!, kind: 'photo' as const })),
    })),
  }
}

/** The photos of a question with links that work for a while: only for a look, which is logged with its reason. */
export async function attachmentsOf(
  { db, config }: Pick<Background, 'db' | 'config'>,
  id: string,
  { now, minutes }: { now: Date; minutes: number },
) {
  const { reader } = db.shards.at(id)
  const question = await findAny(reader, id)
  if (question === undefined) return []
  const photos = await photosOf(reader, question)
  return Promise.all(
    photos.map(async (photo) => {
      const { content_type, url, expires_at } = await viewPhoto(photo, {
        config,
        now,
        minutes,
      })
      return { n: photo.number!, kind: 'photo' as const, content_type, url, expires_at }
    }),
  )
}

const findAny = (reader: Reader, id: string) =>
  reader.selectFrom('questions').selectAll().where('id', '=', id).executeTakeFirst()

async function languageOf(reader: Reader, { worker_id }: Question): Promise<Language> {
  if (worker_id === '') return 'en'
  const worker = await reader
    .selectFrom('workers')
    .select('app_language')
    .where('id', '=', worker_id)
    .executeTakeFirst()
  return worker?.app_language ?? 'en'
}

async function namesOf(global: Reader, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const operators = await global
    .selectFrom('operators')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute()
  return new Map(operators.map(({ id, name }) => [id, name]))
}
