/** Every kind of decision. */
import { invalidField } from '../kit/errors.ts'
import type { AnyDecisionKind } from './decision.ts'
import { unknownKind } from './errors.ts'
import { acceptAudit } from './kinds/accept-audit.ts'
import { answerObjection } from './kinds/answer-objection.ts'
import { changeLimit } from './kinds/change-limit.ts'
import { closeCheckIn } from './kinds/close-check-in.ts'
import { closeWorker } from './kinds/close-worker.ts'
import { decideDispute } from './kinds/decide-dispute.ts'
import { decideNoContact } from './kinds/decide-no-contact.ts'
import { decideReports } from './kinds/decide-reports.ts'
import { decideTaskScreening } from './kinds/decide-screening.ts'
import { explainBreak } from './kinds/explain-break.ts'
import { freeAgent } from './kinds/free-agent.ts'
import { holdPayout } from './kinds/hold-payout.ts'
import { identifyAgent } from './kinds/identify-agent.ts'
import { pauseReceiver } from './kinds/pause-receiver.ts'
import { refundDeposits } from './kinds/refund-deposits.ts'
import { reinstateWorker } from './kinds/reinstate-worker.ts'
import { releasePayout } from './kinds/release-payout.ts'
import { reopenWorker } from './kinds/reopen-worker.ts'
import { replaceAccount } from './kinds/replace-account.ts'
import { resolveSuspense } from './kinds/resolve-suspense.ts'
import { restrictAgent } from './kinds/restrict-agent.ts'
import { resumeReceiver } from './kinds/resume-receiver.ts'
import { retryJobs } from './kinds/retry-jobs.ts'
import { retryNotifications } from './kinds/retry-notifications.ts'
import { retryPayout } from './kinds/retry-payout.ts'
import { reversePayout } from './kinds/reverse-payout.ts'
import { ruleAppeal } from './kinds/rule-on-appeal.ts'
import { suspendWorker } from './kinds/suspend-worker.ts'
import { turnSwitch } from './kinds/turn-switch.ts'
import { withdrawOwnFunds } from './kinds/withdraw-own-funds.ts'
import { writeOffDebt } from './kinds/write-off-debt.ts'

export const DECISION_KINDS: readonly AnyDecisionKind[] = [
  ruleAppeal,
  decideDispute,
  decideReports,
  decideTaskScreening,
  answerObjection,
  decideNoContact,
  closeCheckIn,
  releasePayout,
  holdPayout,
  retryPayout,
  reversePayout,
  replaceAccount,
  refundDeposits,
  writeOffDebt,
  resolveSuspense,
  withdrawOwnFunds,
  explainBreak,
  acceptAudit,
  suspendWorker,
  closeWorker,
  reinstateWorker,
  reopenWorker,
  restrictAgent,
  freeAgent,
  identifyAgent,
  pauseReceiver,
  resumeReceiver,
  retryJobs,
  retryNotifications,
  turnSwitch,
  changeLimit,
]

export function findKind(kind: string): AnyDecisionKind {
  const found = DECISION_KINDS.find((one) => one.kind === kind)
  if (found === undefined) throw unknownKind()
  return found
}

/** Checks the input of a kind, which is a part of the request's body. */
export function readInputOf(kind: AnyDecisionKind, input: unknown): unknown {
  const read = kind.input.safeParse(input)
  if (read.success) return read.data
  const issue = read.error.issues[0]!
  throw invalidField(['input', ...issue.path].join('.'), issue.message)
}
