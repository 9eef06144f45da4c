/** Suspend a worker's account. */
import { command } from './command.ts'
import { shutOut } from './shut-out.ts'

export const workerSuspend = command({
  name: 'worker suspend',
  takes: 'WORKER [--tasks TASK,TASK] [--days N] REASON',
  does: 'suspend a worker; earned money is still paid',
  right: 'rule',
  options: ['--tasks', '--days'],
  run: (background, request) => shutOut(background, request, 'suspended'),
})
