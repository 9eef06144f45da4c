import type { DataOf } from '../command.ts'
import type { workerReopen } from '../worker-reopen.ts'

export const renderWorkerReopen = (reopened: DataOf<typeof workerReopen>): string[] => [
  `${reopened.id} is active again and gets an email with a link to choose a password`,
]
