/** The scripted workers of a test agent, created on demand and reused for its other tasks. */
import { sql } from 'kysely'
import type { Db } from '../kit/db.ts'
import { levelNeeded } from '../tasks/matching.ts'
import type { Work } from '../tasks/queries.ts'
import { makeTestWorker, testEmail } from '../workers/make-test-worker.ts'
import type { Worker } from '../workers/queries.ts'
import { levelOf } from '../workers/trust.ts'

const NAMES = (
  'Ada Ben Cleo Dan Eva Finn Gia Hugo Ida Jon Kim Leo Mia ' +
  'Noa Otto Pia Quin Rosa Sam Tess Uma Vito Wim Xena Yara Zoe'
).split(' ')
/** A task needs at most 25 workers. The reserve is for workers whose level was lowered by disputes. */
const CAST_MAX = 8 * NAMES.length

/** `Sim Ada`, …, `Sim Zoe`, `Sim Ada 2`. */
export function nameOf(index: number): string {
  const round = Math.floor(index / NAMES.length)
  return `Sim ${NAMES[index % NAMES.length]!}${round === 0 ? '' : ` ${round + 1}`}`
}

/** The first worker who has no assignment in the task and a sufficient level. */
export async function chooseWorker(
  db: Db,
  { task, assignments }: Work,
  now: Date,
): Promise<Worker> {
  const emails = Array.from({ length: CAST_MAX }, (_, i) => testEmail(`sim-${i}`, task.agent_id))
  for (;;) {
    const known = await db.reader
      .selectFrom('workers')
      .selectAll()
      .where('agent_id', '=', task.agent_id)
      .where('email', '=', sql<string>`any(${emails})`)
      .execute()
    const byEmail = new Map(known.map((worker) => [worker.email, worker]))
    const isFit = (worker: Worker) =>
      levelOf(worker, now) >= levelNeeded(task) &&
      !assignments.some(({ worker_id }) => worker_id === worker.id)
    const chosen = emails.flatMap((email) => byEmail.get(email) ?? []).find(isFit)
    if (chosen !== undefined) return chosen

    const index = emails.findIndex((email) => !byEmail.has(email))
    if (index === -1) throw new Error(`no scripted worker is left for ${task.id}`)
    const made = await db.transaction((tx) =>
      makeTestWorker(tx, {
        agentId: task.agent_id,
        name: nameOf(index),
        email: emails[index]!,
        now,
      }),
    )
    // Otherwise another process has just created it, and the next iteration finds it.
    if (made !== undefined) return made
  }
}
