import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mintId } from '../kit/ids.ts'
import { openMetrics } from '../kit/metrics.ts'
import { measureEvents } from './measure-events.ts'

test('counts the events of live tasks, and measures how long a task waited for its worker', async () => {
  const metrics = openMetrics()
  const created = new Date('2026-01-31T12:00:00.000Z')
  const task_id = mintId('task', created, 7)
  const event = (type: string, minutes: number, mode: 'live' | 'test' = 'live') => ({
    type,
    task_id,
    mode,
    created_at: new Date(created.getTime() + minutes * 60_000),
  })

  measureEvents(metrics, [
    event('task.created', 0),
    event('task.accepted', 10),
    event('task.accepted', 20, 'test'),
    event('task.appealed', 30),
    { ...event('task.completed', 30), task_id: null },
    event('task.completed', 40),
  ])

  const { values } = await metrics.taskEvents.get()
  assert.deepEqual(
    values.map(({ labels, value }) => [labels.type, value]),
    [
      ['task.created', 1],
      ['task.accepted', 1],
      ['task.completed', 1],
    ],
  )
  const { values: waits } = await metrics.acceptance.get()
  const read = (name: string, le?: number) =>
    waits.find(({ metricName, labels }) => metricName?.endsWith(name) && labels.le === le)?.value
  assert.deepEqual(
    [read('_count'), read('_sum'), read('_bucket', 300), read('_bucket', 900)],
    [1, 600, 0, 1],
  )
})
