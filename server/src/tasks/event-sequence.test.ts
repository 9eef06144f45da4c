import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { countEvent } from './event-sequence.ts'

const market = await marketplace()

/** Sequence and type of a task's events, in the order in which they were recorded. */
const eventsOfTask = async (taskId: string) =>
  (await market.asOwner(
    `select sequence, type from outbox where task_id = $1 and sequence is not null order by position`,
    [taskId],
  )) as { sequence: number; type: string }[]

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

describe('the sequence of a task’s events', () => {
  test('counts 1, 2, 3 … the agent’s events in order; task.created and task.reopened are internal', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await market.taskIn(agent, 'in_progress', {
      consensus_count: 2,
      consensus_max: 3,
      min_confidence: 0.6,
      answer_schema: { type: 'boolean' },
    })
    for (const [i, worker] of task.workers.entries())
      await worker.post(`/worker/tasks/${task.id}/proof`, { answer: i === 0 })
    const third = await market.worker()
    await third.post(`/worker/tasks/${task.id}/accept`)
    await third.post(`/worker/tasks/${task.id}/proof`, { answer: true })
    await agent.post(`/tasks/${task.id}/approve`)

    const told = await eventsOfTask(task.id)

    const proof = ['task.proof_submitted', 'task.consensus_proof']
    assert.deepEqual(
      told.map(({ type }) => type),
      [
        'task.accepted',
        'task.accepted',
        ...proof,
        ...proof,
        'task.accepted',
        ...proof,
        'task.completed',
      ],
    )
    assert.deepEqual(
      told.map(({ sequence }) => sequence),
      upTo(10),
    )
    const ours = await market.asOwner(
      'select type from outbox where task_id = $1 and sequence is null order by position',
      [task.id],
    )
    assert.deepEqual(
      ours.map(({ type }) => type),
      ['task.created', 'task.reopened'],
    )
  })

  test('has no gap and no duplicate, and the right order, under concurrency', async () => {
    const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })
    const workers = await Promise.all(
      Array.from({ length: 8 }, () => market.worker({ approvals: 100 })),
    )
    for (let round = 0; round < 6; round += 1) {
      const { body } = await agent.post('/tasks', {
        description: 'Look',
        budget_cents: 2000,
        consensus_count: 8,
      })
      const path = `/worker/tasks/${body.task.id}`

      await Promise.all([
        ...workers.map(async (worker, i) => {
          await worker.post(`${path}/accept`)
          if (i % 3 === 0) await worker.post(`${path}/release`)
          else await worker.post(`${path}/proof`, { text: 'Yes' })
        }),
        ...upTo(3)
          .map(() =>
            market.at(body.task.id).transaction(async (tx) => {
              await countEvent(tx, body.task.id)
              throw new Error('rolled back')
            }),
          )
          .map((undone) => undone.catch(() => {})),
      ])
      if (round % 2 === 0) await agent.post(`/tasks/${body.task.id}/cancel`)

      const told = await eventsOfTask(body.task.id)
      // 8 acceptances, 3 releases, and 5 proofs with two events each.
      assert.deepEqual(
        told.map(({ sequence }) => sequence),
        upTo(8 + 3 + 10 + (round % 2 === 0 ? 1 : 0)),
      )
      const [row] = await market.asOwner('select event_sequence from tasks where id = $1', [
        body.task.id,
      ])
      assert.equal(row!.event_sequence, told.length)
    }
  })

  test('continues after the end of a task, for example when its payout arrives', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const task = await market.taskIn(agent, 'completed')

    const next = await Promise.all(
      upTo(3).map(() => market.at(task.id).transaction((tx) => countEvent(tx, task.id))),
    )

    assert.deepEqual(new Set(next), new Set([4, 5, 6]))
  })
})
