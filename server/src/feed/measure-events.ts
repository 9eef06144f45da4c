import type { Mode } from '../kit/endpoint.ts'
import { timeOf } from '../kit/ids.ts'
import type { Metrics } from '../kit/metrics.ts'

const MEASURED = [
  'task.created',
  'task.accepted',
  'task.proof_submitted',
  'task.completed',
  'task.disputed',
  'task.expired',
  'task.cancelled',
]

interface RelayedEvent {
  type: string
  task_id: string | null
  mode: Mode
  created_at: Date
}

/**
 * Counts what happens to live tasks, and measures how long they wait for a worker. It uses only events that the relay
 * has moved anyway: a task's id contains the time of its creation, so no row is read.
 */
export function measureEvents(metrics: Metrics, events: readonly RelayedEvent[]): void {
  for (const { type, task_id, mode, created_at } of events) {
    if (mode !== 'live' || task_id === null || !MEASURED.includes(type)) continue
    metrics.taskEvents.inc({ type })
    if (type === 'task.accepted')
      metrics.acceptance.observe((created_at.getTime() - timeOf(task_id).getTime()) / 1000)
  }
}
