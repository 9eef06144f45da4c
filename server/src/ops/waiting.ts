/** Everything that waits for a person, in one list: what the desk's queues show, in the shell. */
import type { Shards } from '../kit/db.ts'
import { command } from './command.ts'
import { QUEUES } from './queues.ts'
import { countQueues } from './read-queues.ts'

interface Waiting {
  what: string
  count: number
  is_more: boolean
  late: number
  oldest_at: Date | null
  next: string
}

export async function readWaiting(
  shards: Shards,
  { now }: { now: Date },
): Promise<(Waiting & { hasLimit: boolean })[]> {
  const counts = await countQueues(shards, { now })
  return QUEUES.map(({ name, what, next, due }) => {
    const { count, is_more, overdue, oldest_at } = counts.get(name)!
    return { what, count, is_more, late: overdue, oldest_at, next, hasLimit: due !== null }
  })
}

export const waiting = command({
  name: 'waiting',
  takes: '[--json]',
  does: 'list everything that is waiting for a person; exit 1 if something has been waiting for too long',
  right: 'view',
  isLook: true,
  async run({ db, clock }) {
    const now = clock.now()
    const all = (await readWaiting(db.shards, { now })).filter(({ count }) => count > 0)
    return { data: { at: now, waiting: all }, isBad: all.some(({ late }) => late > 0) }
  },
})
