/** The table of operator commands: `server ops …`. Each entry combines a command with its text rendering. */
import { accountReplace } from './account-replace.ts'
import { actions } from './actions.ts'
import { agentFree } from './agent-free.ts'
import { agentRestrict } from './agent-restrict.ts'
import { agent } from './agent.ts'
import { agree } from './agree.ts'
import { appeal } from './appeal.ts'
import { appeals } from './appeals.ts'
import { auditAccept } from './audit-accept.ts'
import { auditLogExport } from './audit-log-export.ts'
import { auditLogVerify } from './audit-log-verify.ts'
import { auditLog } from './audit-log.ts'
import { audit } from './audit.ts'
import { decisions } from './decisions.ts'
import { checkInClose } from './check-in-close.ts'
import { decline } from './decline.ts'
import { dispute } from './dispute.ts'
import { doNotContact } from './do-not-contact.ts'
import { disputes } from './disputes.ts'
import { eventsRetry } from './events-retry.ts'
import { explain } from './explain.ts'
import { jobsRetry } from './jobs-retry.ts'
import { jobs } from './jobs.ts'
import { limit } from './limit.ts'
import { limits } from './limits.ts'
import { money } from './money.ts'
import { objection } from './objection.ts'
import { objections } from './objections.ts'
import { operatorAdd } from './operator-add.ts'
import { operatorDisable } from './operator-disable.ts'
import { operatorEnable } from './operator-enable.ts'
import { operatorLink } from './operator-link.ts'
import { operatorRole } from './operator-role.ts'
import { operators } from './operators.ts'
import { payoutRelease } from './payout-release.ts'
import { payoutRetry } from './payout-retry.ts'
import { payoutReverse } from './payout-reverse.ts'
import { payout } from './payout.ts'
import { payouts } from './payouts.ts'
import { questionAnswer } from './question-answer.ts'
import { questionClose } from './question-close.ts'
import { question } from './question.ts'
import { questions } from './questions.ts'
import { receiverPause } from './receiver-pause.ts'
import { receiverResume } from './receiver-resume.ts'
import { reconcile } from './reconcile.ts'
import { refund } from './refund.ts'
import { renderAccountReplace } from './render/account-replace.ts'
import { renderActions } from './render/actions.ts'
import { renderAgentFree } from './render/agent-free.ts'
import { renderAgentRestrict } from './render/agent-restrict.ts'
import { renderAgent } from './render/agent.ts'
import { renderAgree } from './render/agree.ts'
import { renderAppeal } from './render/appeal.ts'
import { renderAppeals } from './render/appeals.ts'
import { renderAuditLog, renderAuditLogExport, renderAuditLogVerify } from './render/audit-log.ts'
import { renderAudit, renderAuditAccept } from './render/audit.ts'
import { renderCheckInClose } from './render/check-in-close.ts'
import { renderDecisions } from './render/decisions.ts'
import { renderDecline } from './render/decline.ts'
import { renderDispute } from './render/dispute.ts'
import { renderDoNotContact } from './render/do-not-contact.ts'
import { renderDisputes } from './render/disputes.ts'
import { renderEventsRetry } from './render/events-retry.ts'
import { renderExplain } from './render/explain.ts'
import { renderJobsRetry } from './render/jobs-retry.ts'
import { renderJobs } from './render/jobs.ts'
import { renderLimit, renderLimits } from './render/limits.ts'
import { renderMoney } from './render/money.ts'
import { renderObjection } from './render/objection.ts'
import { renderObjections } from './render/objections.ts'
import { renderOperator, renderOperatorLink, renderOperators } from './render/operators.ts'
import { renderPayoutReverse } from './render/payout-reverse.ts'
import { renderPayoutStatus } from './render/payout-status.ts'
import { renderPayout } from './render/payout.ts'
import { renderPayouts } from './render/payouts.ts'
import { renderQuestionAnswered } from './render/question-answered.ts'
import { renderQuestion } from './render/question.ts'
import { renderQuestions } from './render/questions.ts'
import { renderReceiverPause } from './render/receiver-pause.ts'
import { renderReceiverResume } from './render/receiver-resume.ts'
import { renderRefund } from './render/refund.ts'
import { renderReport } from './render/report.ts'
import { renderReports } from './render/reports.ts'
import { renderScreening } from './render/screening.ts'
import { renderSecrets } from './render/secrets.ts'
import { renderShardsFinish, renderShardsMove, renderShardsUndo } from './render/shards-move.ts'
import { renderShards } from './render/shards.ts'
import {
  renderRestoreCheck,
  renderRestoreDeclare,
  renderRestoreErase,
  renderRestoreOpen,
} from './render/restore.ts'
import { renderSuspense } from './render/suspense.ts'
import { renderSwitch } from './render/switch.ts'
import { renderSwitches } from './render/switches.ts'
import { renderTask } from './render/task.ts'
import { renderUnclaimed } from './render/unclaimed.ts'
import { renderWaiting } from './render/waiting.ts'
import { renderWebhooks } from './render/webhooks.ts'
import { renderWithdraw } from './render/withdraw.ts'
import { renderWorkerReinstate } from './render/worker-reinstate.ts'
import { renderWorkerReopen } from './render/worker-reopen.ts'
import { renderShutOut } from './render/worker-shut-out.ts'
import { renderWorker } from './render/worker.ts'
import { renderWriteOff } from './render/write-off.ts'
import { report } from './report.ts'
import { reports } from './reports.ts'
import { screening } from './screening.ts'
import { secrets } from './secrets.ts'
import { shardsFinish } from './shards-finish.ts'
import { shardsMove } from './shards-move.ts'
import { shardsUndo } from './shards-undo.ts'
import { shards } from './shards.ts'
import { restoreCheck } from './restore-check.ts'
import { restoreDeclare } from './restore-declare.ts'
import { restoreErase } from './restore-erase.ts'
import { restoreOpen } from './restore-open.ts'
import { suspense } from './suspense.ts'
import { flipSwitch } from './switch.ts'
import { switches } from './switches.ts'
import { task } from './task.ts'
import { inText, type TextCommand } from './text-command.ts'
import { unclaimed } from './unclaimed.ts'
import { waiting } from './waiting.ts'
import { webhooks } from './webhooks.ts'
import { withdraw } from './withdraw.ts'
import { workerClose } from './worker-close.ts'
import { workerReinstate } from './worker-reinstate.ts'
import { workerReopen } from './worker-reopen.ts'
import { workerSuspend } from './worker-suspend.ts'
import { worker } from './worker.ts'
import { writeOff } from './write-off.ts'

export const COMMANDS: readonly TextCommand[] = [
  inText(money, renderMoney),
  inText(reconcile, renderMoney),
  inText(audit, renderAudit),
  inText(auditAccept, renderAuditAccept),
  inText(webhooks, renderWebhooks),
  inText(refund, renderRefund),
  inText(writeOff, renderWriteOff),
  inText(agentRestrict, renderAgentRestrict),
  inText(agentFree, renderAgentFree),
  inText(reports, renderReports),
  inText(report, renderReport),
  inText(screening, renderScreening),
  inText(payoutRetry, renderPayoutStatus),
  inText(payoutReverse, renderPayoutReverse),
  inText(payoutRelease, renderPayoutStatus),
  inText(suspense, renderSuspense),
  inText(withdraw, renderWithdraw),
  inText(flipSwitch, renderSwitch),
  inText(switches, renderSwitches),
  inText(explain, renderExplain),
  inText(restoreDeclare, renderRestoreDeclare),
  inText(restoreCheck, renderRestoreCheck),
  inText(restoreErase, renderRestoreErase),
  inText(restoreOpen, renderRestoreOpen),
  inText(receiverPause, renderReceiverPause),
  inText(receiverResume, renderReceiverResume),
  inText(appeals, renderAppeals),
  inText(disputes, renderDisputes),
  inText(dispute, renderDispute),
  inText(appeal, renderAppeal),
  inText(eventsRetry, renderEventsRetry),
  inText(workerSuspend, renderShutOut),
  inText(workerClose, renderShutOut),
  inText(workerReinstate, renderWorkerReinstate),
  inText(workerReopen, renderWorkerReopen),
  inText(unclaimed, renderUnclaimed),
  inText(objections, renderObjections),
  inText(objection, renderObjection),
  inText(doNotContact, renderDoNotContact),
  inText(checkInClose, renderCheckInClose),
  inText(questions, renderQuestions),
  inText(question, renderQuestion),
  inText(questionAnswer, renderQuestionAnswered),
  inText(questionClose, renderQuestionAnswered),
  inText(agent, renderAgent),
  inText(worker, renderWorker),
  inText(task, renderTask),
  inText(payout, renderPayout),
  inText(payouts, renderPayouts),
  inText(accountReplace, renderAccountReplace),
  inText(waiting, renderWaiting),
  inText(jobs, renderJobs),
  inText(jobsRetry, renderJobsRetry),
  inText(shards, renderShards),
  inText(shardsMove, renderShardsMove),
  inText(shardsUndo, renderShardsUndo),
  inText(shardsFinish, renderShardsFinish),
  inText(secrets, renderSecrets),
  inText(actions, renderActions),
  inText(operators, renderOperators),
  inText(operatorAdd, renderOperatorLink),
  inText(operatorLink, renderOperatorLink),
  inText(operatorRole, renderOperator),
  inText(operatorDisable, renderOperator),
  inText(operatorEnable, renderOperator),
  inText(auditLog, renderAuditLog),
  inText(auditLogVerify, renderAuditLogVerify),
  inText(auditLogExport, renderAuditLogExport),
  inText(decisions, renderDecisions),
  inText(agree, renderAgree),
  inText(decline, renderDecline),
  inText(limits, renderLimits),
  inText(limit, renderLimit),
]

/**
 * Finds the command that the words begin with, and the remaining words. The longest name wins: `agent free` before
 * `agent`.
 */
export function findCommand(words: string[]): { command: TextCommand; rest: string[] } | undefined {
  const [found] = COMMANDS.map((command) => ({ command, own: command.name.split(' ') }))
    .filter(({ own }) => own.every((word, i) => words[i] === word))
    .sort((one, other) => other.own.length - one.own.length)
  return found && { command: found.command, rest: words.slice(found.own.length) }
}
