/** Show a worker's question with its messages. */
import { messagesOf } from '../questions/questions.ts'
import { command, CommandRefused, named } from './command.ts'

export const question = command({
  name: 'question',
  takes: 'QUESTION [--json]',
  does: 'show a worker’s question: its messages, worker, task and deadline; the lookup is recorded',
  right: 'view',
  isLook: true,
  isRecorded: true,
  async run({ db, clock }, { words: [word] }) {
    const id = named(word, 'a question')
    const { reader } = db.shards.at(id)
    const found = await reader
      .selectFrom('questions')
      .innerJoin('workers', 'workers.id', 'questions.worker_id')
      .selectAll('questions')
      .select(['workers.status as worker_status', 'workers.app_language as worker_language'])
      .where('questions.id', '=', id)
      .executeTakeFirst()
    if (found === undefined) throw new CommandRefused(`There is no question ${id}`)
    const { worker_status, worker_language, ...shown } = found
    const data = {
      at: clock.now(),
      question: shown,
      worker: { id: found.worker_id, status: worker_status, language: worker_language },
      messages: await messagesOf(reader, found),
    }
    return { data, about: id }
  },
})
