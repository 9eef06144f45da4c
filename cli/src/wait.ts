/** Waits for people and prints progress. Used by `ask --wait` and `task --wait`. */
import { type Legwork, type TaskDetail, WaitTimeout } from '@legwork/sdk'
import { EXIT, type ExitCode } from './exit.ts'
import { type Print, short } from './print.ts'
import { savedLine, saveProofs } from './save-proofs.ts'
import { consensusLines, hasFailed, nextSteps, proofLines, stateLines } from './task-words.ts'
import { span } from './words.ts'

export const WAIT_USUAL = '30m'
const TICK_MS = 1000

const SAYS: Record<string, (who: string) => string> = {
  'task.accepted': (who) => `${who} accepted`,
  'task.proof_submitted': () => 'proof received',
  'task.released': (who) => `${who} handed it back, looking for another person`,
}

interface Wait {
  legwork: Legwork
  print: Print
  signal: AbortSignal
  timeoutMs: number
  /** Folder for photos, videos and recordings. */
  out: string
}

export async function waitForPeople(
  taskId: string,
  { legwork, print, signal, timeoutMs, out }: Wait,
): Promise<ExitCode> {
  const told = new Set<string>()
  let doing = 'looking for a person'
  const startedAt = performance.now()
  const tick = () => print.status(`${doing}… ${span(performance.now() - startedAt)}`)

  const tell = (task: TaskDetail) => {
    for (const { at, event, worker_id, worker_name = 'a person' } of task.timeline) {
      const key = `${at} ${event} ${worker_id ?? ''}`
      const words = SAYS[event]
      if (words === undefined || told.has(key)) continue
      told.add(key)
      const afterMs = Date.parse(at) - Date.parse(task.created_at)
      const data = { type: 'progress', task_id: task.id, event, at, status: task.status }
      print.step(data, `● ${words(short(worker_name, 60))} (${span(afterMs)})`)
    }
    doing = task.status === 'in_progress' ? 'a person is working on it' : 'looking for a person'
  }

  print.step({ type: 'progress', task_id: taskId, event: 'waiting' }, '● looking for a person')
  const timer = setInterval(tick, TICK_MS)
  try {
    const task = await legwork.tasks.wait(taskId, { timeout: timeoutMs, signal, onChange: tell })
    tell(task)
    return await tellEnd(task, { legwork, print, out })
  } catch (error) {
    if (!(error instanceof WaitTimeout) && !signal.aborted) throw error
    print.step(
      { type: 'still_working', task_id: taskId },
      `Still in progress: ${taskId}. The task continues without this command.`,
    )
    print.next('Keep waiting with', `task ${taskId} --wait`)
    return EXIT.stillWorking
  } finally {
    clearInterval(timer)
  }
}

async function tellEnd(
  task: TaskDetail,
  { legwork, print, out }: Pick<Wait, 'legwork' | 'print' | 'out'>,
): Promise<ExitCode> {
  const hasFiles = task.proofs.some(({ media }) => media.length > 0)
  const saved = hasFiles ? await saveProofs(legwork, { taskId: task.id, out }) : []
  print.step(
    { type: 'task', task, saved },
    ...proofLines(task.proofs, print),
    ...savedLine(saved),
    ...consensusLines(task, print),
    ...stateLines(task),
  )
  nextSteps(task, print)
  return hasFailed(task) ? EXIT.failed : EXIT.done
}
