/**
 * Suspend a worker.
 *
 *   called by   an operator with the right `rule`
 *   moves       see workers/shut-out.ts
 *   money       none; what is earned is still paid
 *   event       worker.shut_out (ours)
 */
import { z } from 'zod'
import { decision } from '../decision.ts'
import { shutOutKind, TASKS } from './shut-out.ts'

const DAYS_MAX = 365

export const suspendWorker = decision({
  kind: 'worker.suspend',
  right: 'rule',
  title: 'Suspend a worker',
  input: z.object({
    /** Tasks that the decision is based on. */
    tasks: TASKS,
    /** The default is SUSPENSION_DAYS. */
    days: z.int().min(1).max(DAYS_MAX).optional(),
  }),
  ...shutOutKind('suspended'),
  undo: ({ subject }) => ({ kind: 'worker.reinstate', subject, input: {} }),
})
