/** Erase people again whose accounts were closed in lost time. */
import { closeAgain } from '../workers/close-again.ts'
import { command, CommandRefused, named } from './command.ts'
import { NO_RESTORE } from './restore-check.ts'

export const restoreErase = command({
  name: 'restore erase',
  takes: 'WORKER…',
  does: 'after a restore from a backup: close accounts again that were closed in lost time',
  right: 'operate',
  async run({ db, clock }, { words, operator }) {
    named(words[0], 'the workers')
    const restore = await db.shards.global.reader
      .selectFrom('restores')
      .select('restored_to')
      .where('opened_at', 'is', null)
      .executeTakeFirst()
    if (restore === undefined) throw new CommandRefused(NO_RESTORE)
    const now = clock.now()
    const workers: { id: string; outcome: Awaited<ReturnType<typeof closeAgain>> }[] = []
    for (const id of new Set(words))
      workers.push({ id, outcome: await closeAgain(db, { workerId: id, operator, now }) })
    return { data: { workers } }
  },
})
