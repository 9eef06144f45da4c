/** List the objections of suspended and closed workers that wait for a reply. */
import { command } from './command.ts'

const SHOWN_MAX = 100

export const objections = command({
  name: 'objections',
  takes: '[--json]',
  does: 'list workers’ objections that need a reply, by deadline; exit 1 if there are any',
  isLook: true,
  async run({ db, clock }) {
    const waiting = await db.reader
      .selectFrom('worker_decisions')
      .select(['id', 'worker_id', 'kind', 'reason', 'task_ids', 'decided_by', 'decided_at'])
      .select(['ends_at', 'objection', 'objected_at', 'reply_due_at'])
      .where('objection', 'is not', null)
      .where('reply', 'is', null)
      .where('ended_at', 'is', null)
      .orderBy('reply_due_at')
      .limit(SHOWN_MAX)
      .execute()
    return { data: { at: clock.now(), waiting }, isBad: waiting.length > 0 }
  },
})
