/**
 * The log of people's actions: one row for each call of a person that may change something. It is written before the
 * call, so nothing happens unrecorded, and deleted if the call changed nothing. If the process dies in between, the row
 * stays as it is, and the list shows that the outcome is unknown.
 */
import type { Db } from '../kit/db.ts'
import type { Answer, AnyEndpoint, PersonCaller, StreamedAnswer } from '../kit/endpoint.ts'
import { ApiError } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'

/** Only the session itself. */
const UNRECORDED = ['deleteConsoleSession', 'updateConsoleSession']

export const isRecorded = ({ method, name }: Pick<AnyEndpoint, 'method' | 'name'>): boolean =>
  method !== 'GET' && method !== 'HEAD' && name !== undefined && !UNRECORDED.includes(name)

/** `db` is the shard of the agent. */
export async function recordAction<A extends Answer | StreamedAnswer>(
  db: Db,
  {
    agentId,
    person,
    operation,
    objectId,
    now,
  }: {
    agentId: string
    person: PersonCaller
    operation: string
    objectId: string | undefined
    now: Date
  },
  run: () => Promise<A>,
): Promise<A> {
  const id = mintId('act', now, shardOf(agentId))
  const row = { id, agent_id: agentId, person_id: person.id, operation, at: now }
  await db.transaction((tx) =>
    tx
      .insertInto('agent_actions')
      .values({ ...row, object_id: objectId ?? null })
      .execute(),
  )
  const forget = () =>
    db.transaction((tx) =>
      tx.deleteFrom('agent_actions').where('id', '=', id).where('agent_id', '=', agentId).execute(),
    )
  const answer = await run().catch(async (error: unknown) => {
    if (error instanceof ApiError && error.status < 500) await forget()
    throw error
  })
  if (answer.isReplay || (answer.status >= 400 && answer.status < 500)) await forget()
  else if (answer.status < 400)
    await db.transaction((tx) =>
      tx
        .updateTable('agent_actions')
        .set({ is_done: true, object_id: objectId ?? idIn(answer.body) ?? null })
        .where('id', '=', id)
        .where('agent_id', '=', agentId)
        .execute(),
    )
  return answer
}

/** The object that the call created: the first id of its response. */
const idIn = (body: Answer['body'] | StreamedAnswer['body']): string | undefined =>
  typeof body === 'string' ? /"id":"([a-z]+_[0-9a-z]{26})"/.exec(body)?.[1] : undefined
