import assert from 'node:assert/strict'
import { decideHeldDispute } from '../src/disputes/decide-held-dispute.ts'
import type { Json, Marketplace } from './harness.ts'

/** With this setting, an agent's second dispute within a day is held. */
export const HELD_AFTER_ONE = { DISPUTES_BEFORE_REVIEW: 1 }

const OTHER_CENTS = 100

/** A task with a held dispute of all its proofs, or of the first `parts` of them. */
export async function heldDispute(
  market: Marketplace,
  {
    budget_cents = 3000,
    answers,
    consensus_count = answers?.length ?? 1,
    parts,
    free = false,
    ...fields
  }: {
    /** A yes or no from each worker. */
    answers?: boolean[]
    budget_cents?: number
    consensus_count?: number
    parts?: number
    free?: boolean
    [field: string]: unknown
  } = {},
) {
  const balanceCents = free ? 0 : budget_cents + OTHER_CENTS
  const agent = await market.agent({ balanceCents, freeTasks: free })
  await market.taskIn(agent, 'disputed', { budget_cents: OTHER_CENTS })
  const task = await market.taskIn(agent, answers ? 'in_progress' : 'proof_submitted', {
    budget_cents,
    consensus_count,
    ...(answers && { answer_schema: { type: 'boolean' } }),
    ...fields,
  })
  const path = `/tasks/${task.id}`
  for (const [i, answer] of (answers ?? []).entries())
    await task.workers[i]!.post(`/worker${path}/proof`, { answer })
  const shown = async () => (await agent.get(path)).body.task
  const { assignments } = await shown()
  const ids = assignments.map(({ id }: { id: string }) => id) as string[]
  const assignment_ids = parts === undefined ? undefined : ids.slice(0, parts)
  const held = await agent.post(`${path}/dispute`, { reason: 'Not readable', assignment_ids })
  assert.equal(held.body.task?.status_reason, 'dispute_held', held.text)
  const worker = task.workers[0]!
  const own = async (of = worker) => (await of.get(`/worker${path}`)).body
  const paid = async () => {
    const cents = []
    for (const { id } of task.workers) cents.push(await market.payable(id))
    return cents
  }
  return { agent, task, path, ids, worker, held: held.body, shown, own, paid }
}

export const decideHeld = (
  market: Marketplace,
  id: string,
  verdict: 'uphold' | 'reject',
  note = 'Every line can be read.',
) =>
  market.at(id).transaction((tx) =>
    decideHeldDispute(tx, {
      id,
      verdict,
      note,
      operator: 'olga',
      config: market.server.config,
      now: market.now(),
    }),
  )

/** The event types in the agent's log for a task, in order. */
export async function eventsOfTask(market: Marketplace, taskId: string) {
  const events = (await market.events()).filter(({ task_id }) => task_id === taskId)
  return events.map(({ type, data }) => ({ type, data: data as Json }))
}
