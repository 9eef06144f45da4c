/**
 * Close a worker's account.
 *
 *   called by   an operator with the right `rule`
 *   moves       see workers/shut-out.ts
 *   money       none; what is earned is still paid
 *   event       worker.shut_out (ours)
 */
import { z } from 'zod'
import { decision } from '../decision.ts'
import { shutOutKind, TASKS } from './shut-out.ts'

export const closeWorker = decision({
  kind: 'worker.close',
  right: 'rule',
  title: 'Close a worker’s account',
  input: z.object({
    /** Tasks that the decision is based on. */
    tasks: TASKS,
  }),
  ...shutOutKind('closed'),
  undo: ({ subject }) => ({ kind: 'worker.reinstate', subject, input: {} }),
})
