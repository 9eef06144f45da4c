/** Close a worker's account. */
import { command } from './command.ts'
import { shutOut } from './shut-out.ts'

export const workerClose = command({
  name: 'worker close',
  takes: 'WORKER [--tasks TASK,TASK] REASON',
  does: 'close a worker’s account; earned money is still paid',
  right: 'rule',
  options: ['--tasks'],
  run: (background, request) => shutOut(background, request, 'closed'),
})
