/** The table of all background work: jobs with their schedules and events, and timers. */
import { sweepUnused } from './files/sweep-unused.ts'
import type { Job, Sweep } from './kit/job.ts'
import { audit } from './ledger/audit.ts'
import { maintain } from './runner/maintain.ts'
import { autoApprove } from './tasks/auto-approve.ts'
import { expire } from './tasks/expire.ts'
import { fitAccuracy } from './tasks/fit-accuracy.ts'
import { projectOpen } from './tasks/project-open.ts'
import { timeOut } from './tasks/time-out.ts'
import { sendMail } from './workers/send-mail.ts'

export const jobs: readonly Job[] = [audit, maintain, fitAccuracy, projectOpen, sendMail]
export const sweeps: readonly Sweep[] = [expire, timeOut, autoApprove, sweepUnused]
