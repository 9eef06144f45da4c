import type { DataOf } from '../command.ts'
import type { workerReinstate } from '../worker-reinstate.ts'

export const renderWorkerReinstate = (ended: DataOf<typeof workerReinstate>): string[] => [
  `${ended.worker_id} is active again and is notified by email`,
]
