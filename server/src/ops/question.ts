/** Show a question of a worker or an agent with its messages. */
import type { Reader } from '../kit/db.ts'
import { type Asker, askerOf } from '../questions/asker.ts'
import { photosOf } from '../questions/photos.ts'
import { messagesOf } from '../questions/questions.ts'
import { command, CommandRefused, named } from './command.ts'

export const question = command({
  name: 'question',
  takes: 'QUESTION [--json]',
  does: 'show a question: its messages, asker, task and deadline; the lookup is recorded',
  right: 'view',
  isLook: true,
  isRecorded: true,
  async run({ db, clock }, { words: [word] }) {
    const id = named(word, 'a question')
    const { reader } = db.shards.at(id)
    const found = await reader
      .selectFrom('questions')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    if (found === undefined) throw new CommandRefused(`There is no question ${id}`)
    const photos = await photosOf(reader, found)
    const data = {
      at: clock.now(),
      question: found,
      asker: await aboutAsker(reader, askerOf(found)),
      messages: (await messagesOf(reader, found)).map((message) => ({
        ...message,
        photos: photos.filter(({ message_number }) => message_number === message.number).length,
      })),
    }
    return { data, about: id }
  },
})

async function aboutAsker(reader: Reader, asker: Asker) {
  if (asker.kind === 'agent') {
    const agent = await reader
      .selectFrom('agents')
      .select(['status', 'email_verified_at'])
      .where('id', '=', asker.id)
      .executeTakeFirstOrThrow()
    const hasEmail = agent.email_verified_at !== null
    return { ...asker, status: agent.status, language: 'en', hasEmail }
  }
  const worker = await reader
    .selectFrom('workers')
    .select(['status', 'app_language'])
    .where('id', '=', asker.id)
    .executeTakeFirstOrThrow()
  return { ...asker, status: worker.status, language: worker.app_language, hasEmail: true }
}
