import type { DataOf } from '../command.ts'
import type { objection } from '../objection.ts'

export function renderObjection(replied: DataOf<typeof objection>): string[] {
  const { worker_id, kind, reply: verdict } = replied
  return [
    verdict === 'upheld'
      ? `${worker_id} stays ${kind} and is notified by email`
      : `${worker_id} is active again and is notified by email`,
  ]
}
