/** All background work: jobs with their schedules and events, and timers. */
import { mailAboutAnswer } from './agents/mail-about-answer.ts'
import { mailAboutBalance } from './agents/mail-about-balance.ts'
import { mailAboutRestriction } from './agents/mail-about-restriction.ts'
import { mailAboutWebhook } from './agents/mail-about-webhook.ts'
import { mailPersonLink } from './agents/mail-person-link.ts'
import { sealSecrets } from './agents/seal-secrets.ts'
import { sendMail as sendAgentMail } from './agents/send-mail.ts'
import { watchBalance } from './agents/watch-balance.ts'
import { fitAccuracy } from './consensus/fit-accuracy.ts'
import { releaseEndedCases } from './desk/release-case.ts'
import { concedeAppeals } from './disputes/concede-appeals.ts'
import { lapseDecisions, lapseGlobalDecisions } from './decisions/lapse-decisions.ts'
import { resumeDecisions, resumeGlobalDecisions } from './decisions/resume-decisions.ts'
import { lapseHeldDisputes } from './disputes/lapse-held-disputes.ts'
import { retryMails } from './email/retry-mails.ts'
import { projectOpen } from './feed/project-open.ts'
import { refreshAgents } from './feed/refresh-agents.ts'
import { forgetEvidence } from './files/forget-evidence.ts'
import { forgetWorker } from './files/forget-worker.ts'
import { removeEnded } from './files/remove-ended.ts'
import { removeProofFiles } from './files/remove-proof-files.ts'
import { sweepUnused } from './files/sweep-unused.ts'
import type { Job, Sweep } from './kit/job.ts'
import { audit } from './ledger/audit.ts'
import { classificationsDue, classify } from './moderation/classify.ts'
import { lapseScreenings } from './moderation/lapse-screenings.ts'
import { endAppealDeadline } from './notices/end-appeal-deadline.ts'
import { lookForTasks } from './notices/look-for-tasks.ts'
import { mailNotice } from './notices/mail.ts'
import { notifyLevelLowered } from './notices/notify-level-lowered.ts'
import { push, pushesDue } from './notices/push.ts'
import { notifyHalfTime } from './notices/notify-half-time.ts'
import { notifyPayout as notifyWorkerOfPayout } from './notices/notify-payout.ts'
import { notifyCheckIn } from './notices/notify-check-in.ts'
import { notifyQuestion } from './notices/notify-question.ts'
import { notifyTask } from './notices/notify-task.ts'
import { sendTestPush } from './notices/test-push.ts'
import { tidy as tidyNotices } from './notices/tidy.ts'
import { logAuditHead } from './operators/log-audit-head.ts'
import { mailLink as mailOperatorLink } from './operators/mail-link.ts'
import { tellAdmins } from './operators/tell-admins.ts'
import { open as openPayouts } from './payouts/open.ts'
import { payBeforeClosing } from './payouts/pay-before-closing.ts'
import { accountsDue, lookAtAccount } from './payouts/refresh-account.ts'
import { release as releasePayouts } from './payouts/release.ts'
import { retryFailed as retryFailedPayouts } from './payouts/retry-failed.ts'
import { payoutsDue, send as sendPayout } from './payouts/send.ts'
import { lookAtTransfer } from './payouts/settle-transfer.ts'
import { tell as notifyPayout } from './payouts/tell.ts'
import { sendWithdrawals, withdrawalsDue } from './payouts/withdraw.ts'
import { lookAfter } from './safety/look-after.ts'
import { closeAnswered } from './questions/close-answered.ts'
import { coarsenLocations } from './places/coarsen-locations.ts'
import { measureTimes } from './questions/measure-times.ts'
import { removeOld as removeOldQuestions } from './questions/remove-old.ts'
import { sweepPhotos } from './questions/sweep-photos.ts'
import { closeGaps } from './reconcile/close-gaps.ts'
import { handleNotifications, notificationsDue } from './reconcile/handle-notification.ts'
import { reconcileDeeply, reconcileMoney } from './reconcile/reconcile.ts'
import { forgetTexts } from './runner/forget-texts.ts'
import { maintain } from './runner/maintain.ts'
import { removeExpired } from './runner/remove-expired.ts'
import { endNoContact } from './targets/end-no-contact.ts'
import { mailNoContact } from './targets/mail-no-contact.ts'
import { settle as settleTargets } from './targets/settle.ts'
import { autoApprove } from './tasks/auto-approve.ts'
import { checkCounts } from './counts/check.ts'
import { expire } from './tasks/expire.ts'
import { foldCounts } from './counts/fold.ts'
import { handBack } from './tasks/hand-back.ts'
import { noteHalfTime } from './tasks/note-half-time.ts'
import { timeOut } from './tasks/time-out.ts'
import { withdraw } from './tasks/withdraw.ts'
import { endAgents } from './test-mode/end-agents.ts'
import { eraseAgents } from './test-mode/erase-agents.ts'
import { play } from './test-mode/play.ts'
import { rule as ruleOnTestAppeals } from './test-mode/rule.ts'
import { sendRefund } from './wallet/send-refund.ts'
import { chargebacksDue, lookAtChargeback } from './wallet/settle-chargeback.ts'
import { depositsDue, lookAtDeposit } from './wallet/settle-deposit.ts'
import { lookAtRefund, refundsDue } from './wallet/settle-refund.ts'
import { tidy as tidyWebhooks } from './webhooks/tidy.ts'
import { closeAccounts } from './workers/close-accounts.ts'
import { endDecisions } from './workers/end-decisions.ts'
import { endEmailChanges } from './workers/end-email-changes.ts'
import { mailAboutAccount } from './workers/mail-about-account.ts'
import { mailClosing } from './workers/mail-closing.ts'
import { mailDecision } from './workers/mail-decision.ts'
import { mailEmailChange } from './workers/mail-email-change.ts'
import { removeUnverified } from './workers/remove-unverified.ts'
import { sendMail } from './workers/send-mail.ts'
import { settleTrust } from './workers/settle-trust.ts'
import { tidySessions } from './workers/tidy-sessions.ts'

export const jobs: readonly Job[] = [
  audit,
  maintain,
  removeExpired,
  sealSecrets,
  mailAboutWebhook,
  mailAboutBalance,
  sendAgentMail,
  mailPersonLink,
  retryMails,
  mailAboutRestriction,
  fitAccuracy,
  projectOpen,
  refreshAgents,
  sendMail,
  mailDecision,
  mailAboutAccount,
  mailEmailChange,
  mailClosing,
  tidySessions,
  removeUnverified,
  withdraw,
  foldCounts,
  checkCounts,
  lookAtDeposit,
  lookAtChargeback,
  sendRefund,
  lookAtRefund,
  lookAtAccount,
  openPayouts,
  payBeforeClosing,
  sendPayout,
  lookAtTransfer,
  notifyPayout,
  handleNotifications,
  closeGaps,
  reconcileMoney,
  reconcileDeeply,
  releaseEndedCases,
  sendWithdrawals,
  tidyWebhooks,
  notifyTask,
  endAppealDeadline,
  notifyHalfTime,
  notifyLevelLowered,
  notifyWorkerOfPayout,
  notifyQuestion,
  notifyCheckIn,
  push,
  sendTestPush,
  mailNotice,
  tidyNotices,
  removeOldQuestions,
  measureTimes,
  mailAboutAnswer,
  forgetWorker,
  mailOperatorLink,
  tellAdmins,
  logAuditHead,
  classify,
  settleTargets,
  mailNoContact,
]
export const sweeps: readonly Sweep[] = [
  expire,
  timeOut,
  autoApprove,
  concedeAppeals,
  lapseHeldDisputes,
  lapseScreenings,
  classificationsDue,
  handBack,
  endDecisions,
  endEmailChanges,
  closeAccounts,
  closeAnswered,
  lookAfter,
  sweepPhotos,
  settleTrust,
  noteHalfTime,
  play,
  ruleOnTestAppeals,
  endAgents,
  removeEnded,
  eraseAgents,
  pushesDue,
  lookForTasks,
  sweepUnused,
  removeProofFiles,
  coarsenLocations,
  forgetEvidence,
  forgetTexts,
  watchBalance,
  depositsDue,
  chargebacksDue,
  refundsDue,
  accountsDue,
  releasePayouts,
  payoutsDue,
  retryFailedPayouts,
  notificationsDue,
  withdrawalsDue,
  lapseDecisions,
  lapseGlobalDecisions,
  resumeDecisions,
  resumeGlobalDecisions,
  endNoContact,
]
