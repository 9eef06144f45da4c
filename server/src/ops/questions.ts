/** List workers' questions that wait for an answer. */
import { command } from './command.ts'

const SHOWN_MAX = 100

export const questions = command({
  name: 'questions',
  takes: '[--json]',
  does: 'list workers’ questions that need an answer, by deadline; exit 1 if there are any',
  isLook: true,
  async run({ db, clock }) {
    const waiting = await db.reader
      .selectFrom('questions')
      .select(['id', 'worker_id', 'subject', 'task_id', 'message_count', 'waits_since', 'due_at'])
      .where('status', '=', 'open')
      .orderBy('due_at')
      .orderBy('id')
      .limit(SHOWN_MAX)
      .execute()
    return { data: { at: clock.now(), waiting }, isBad: waiting.length > 0 }
  },
})
