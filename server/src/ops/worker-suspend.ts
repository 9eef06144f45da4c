/** Suspend a worker's account. */
import { suspendWorker } from '../decisions/kinds/suspend-worker.ts'
import { command } from './command.ts'
import { decideNow } from './decide.ts'
import { readShutOut } from './shut-out.ts'

export const workerSuspend = command({
  name: 'worker suspend',
  takes: 'WORKER [--tasks TASK,TASK] [--days N] REASON',
  does: 'suspend a worker; earned money is still paid',
  right: 'rule',
  options: ['--tasks', '--days'],
  run: async (background, request) => ({
    data: await decideNow(background, suspendWorker, readShutOut(request)),
  }),
})
