/** Close a worker's account. */
import { closeWorker } from '../decisions/kinds/close-worker.ts'
import { command } from './command.ts'
import { decideNow } from './decide.ts'
import { readShutOut } from './shut-out.ts'

export const workerClose = command({
  name: 'worker close',
  takes: 'WORKER [--tasks TASK,TASK] REASON',
  does: 'close a worker’s account, with a second operator; earned money is still paid',
  right: 'rule',
  options: ['--tasks'],
  run: async (background, request) => ({
    data: await decideNow(background, closeWorker, readShutOut(request)),
  }),
})
