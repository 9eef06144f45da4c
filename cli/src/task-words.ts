/** Formats a task, its answers and its outcome as lines for people. */
import type { Proof, TaskDetail } from '@legwork/sdk'
import { recall, remember } from './env-file.ts'
import { usage } from './exit.ts'
import { plain, type Print } from './print.ts'
import { dollars, span } from './words.ts'

const LAST = 'last'
const LAST_TASK = 'last-task'

/** Resolves the id that was typed; `last` is the last task that was asked from this folder. */
export function taskIdOf(word: string, folder: string): string {
  if (word !== LAST) return word
  const kept = recall<{ id: string }>(folder, LAST_TASK)
  if (kept === undefined)
    throw usage(
      'No task has been posted from this folder yet',
      'Use a task id. Run `tasks` to list your tasks.',
    )
  return kept.id
}

export const rememberTask = (id: string, folder: string) => remember(folder, LAST_TASK, { id })

/** People's answers. They are untrusted: print them only as plain text, under the worker's name. */
export function proofLines(proofs: readonly Proof[], print: Print): string[] {
  return proofs.flatMap((proof) => [
    `${print.style('bold', plain(proof.worker.name))}: ${saidBy(proof)}`,
    ...proof.checks
      .filter(({ result }) => result !== 'pass')
      .map(({ name, result, note }) =>
        print.style('yellow', `  ${result === 'fail' ? '✕' : '!'} ${name}: ${plain(note)}`),
      ),
  ])
}

function saidBy({ answer, text, outcome }: Proof): string {
  const says = text === null ? '' : plain(text, { indent: '  ' })
  const answers = answerInWords(answer)
  const parts = [
    outcome === 'not_possible' ? 'Can’t be done.' : '',
    beginsWith(says, answers) ? '' : answers,
    says,
  ]
  return parts.filter((part) => part !== '').join(' ') || 'sent proof'
}

/** `Yes, until six.` begins with `Yes.`, but `Nobody is here` doesn't begin with `No.`. */
function beginsWith(text: string, answer: string): boolean {
  const words = answer.replace(/\.$/, '').toLowerCase()
  if (words === '' || !text.toLowerCase().startsWith(words)) return false
  return !/^[\p{L}\p{N}]/u.test(text.slice(words.length))
}

function answerInWords(answer: unknown): string {
  if (answer === null || answer === undefined) return ''
  if (typeof answer === 'boolean') return answer ? 'Yes.' : 'No.'
  return plain(typeof answer === 'string' ? answer : JSON.stringify(answer), { indent: '  ' })
}

/** For consensus tasks: the agreed result, or that there is none. */
export function consensusLines({ consensus }: TaskDetail, print: Print): string[] {
  if (consensus === undefined || consensus.received === 0) return []
  const count = `${consensus.received} of ${consensus.needed} answers`
  if (consensus.conflict)
    return [
      print.style('yellow', `${count}, and they disagree. Choose the result with --override '…'.`),
    ]
  if (!consensus.complete) return [`${count} so far`]
  return [`${count}: ${answerInWords(consensus.result) || 'no single result'}`]
}

/** Describes the last change of the task and the possible next steps. */
export function stateLines(task: TaskDetail): string[] {
  const { settlement } = task
  if (task.status === 'proof_submitted')
    return [`Paid automatically ${span(task.auto_approve_after * 1000)} after the last proof.`]
  if (task.status === 'completed' && settlement !== null) return [settlementLine(settlement)]
  if (task.status === 'expired')
    return ['The deadline passed before it was done. The money was refunded to your wallet.']
  if (task.status === 'cancelled') return ['The task was canceled.']
  if (task.status === 'disputed' && task.dispute !== undefined)
    return [`Disputed: ${plain(task.dispute.reason, { indent: '  ' })}`]
  return []
}

export function settlementLine(settlement: {
  gross_cents: number
  commission_cents: number
  refunded_cents: number
  workers: readonly { net_cents: number }[]
}): string {
  const paid = settlement.workers.reduce((sum, { net_cents }) => sum + net_cents, 0)
  const people =
    settlement.workers.length === 1 ? 'the worker' : `${settlement.workers.length} workers`
  const back =
    settlement.refunded_cents === 0 ? '' : ` · ${dollars(settlement.refunded_cents)} refunded`
  return `${dollars(paid)} to ${people} · ${dollars(settlement.commission_cents)} commission${back}`
}

export function nextSteps(
  task: Pick<TaskDetail, 'id' | 'status' | 'consensus'>,
  print: Print,
): void {
  if (task.status === 'proof_submitted') {
    const override = task.consensus?.conflict ? " --override '…'" : ''
    print.next('Approve with', `approve ${task.id}${override}`)
    print.next('Dispute with', `dispute ${task.id} --reason "…"`)
  } else if (task.status === 'pending' || task.status === 'in_progress') {
    print.next('Wait with', `task ${task.id} --wait`)
    print.next('Cancel with', `cancel ${task.id}`)
  }
}

export const hasFailed = (task: TaskDetail) =>
  task.status === 'disputed' || task.status === 'expired' || task.status === 'cancelled'
