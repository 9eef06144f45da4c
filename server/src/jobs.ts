/** The table of all background work: jobs with their schedules and events, and timers. */
import type { Job, Sweep } from './kit/job.ts'
import { audit } from './ledger/audit.ts'
import { maintain } from './runner/maintain.ts'
import { expire } from './tasks/expire.ts'

export const jobs: readonly Job[] = [audit, maintain]
export const sweeps: readonly Sweep[] = [expire]
