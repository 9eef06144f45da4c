/** All routes, in the order of the specification. */
import { beginConsoleSession } from './agents/begin-console-session.ts'
import { beginPersonSession } from './agents/begin-person-session.ts'
import { invitePerson } from './agents/invite-person.ts'
import { leave as leaveAgent } from './agents/leave.ts'
import { listActions } from './agents/list-actions.ts'
import { listPeople } from './agents/list-people.ts'
import { removePerson } from './agents/remove-person.ts'
import { requestLogInLink } from './agents/request-log-in-link.ts'
import { switchMode } from './agents/switch-mode.ts'
import { updatePerson } from './agents/update-person.ts'
import { confirmRecovery } from './agents/confirm-recovery.ts'
import { createKey } from './agents/create-key.ts'
import { createTestAgent } from './agents/create-test-agent.ts'
import { deleteKey } from './agents/delete-key.ts'
import { endConsoleSession } from './agents/end-console-session.ts'
import { getChecklist } from './agents/get-checklist.ts'
import { getRequest } from './agents/get-request.ts'
import { get as getAgent } from './agents/get.ts'
import { listKeys } from './agents/list-keys.ts'
import { listRequests } from './agents/list-requests.ts'
import { recover } from './agents/recover.ts'
import { register } from './agents/register.ts'
import { resendVerification as resendAgentVerification } from './agents/resend-verification.ts'
import { rotateKey } from './agents/rotate-key.ts'
import { rotateWebhookSecret } from './agents/rotate-webhook-secret.ts'
import { showConsoleSession } from './agents/show-console-session.ts'
import { updateKey } from './agents/update-key.ts'
import { update as updateAgent } from './agents/update.ts'
import { verifyEmail as verifyAgentEmail } from './agents/verify-email.ts'
import { appealByLink } from './disputes/appeal-by-link.ts'
import { appeal } from './disputes/appeal.ts'
import { dispute } from './disputes/dispute.ts'
import { replyToAppeal } from './disputes/reply-to-appeal.ts'
import { withdrawDispute } from './disputes/withdraw-dispute.ts'
import { getFeed } from './feed/get-feed.ts'
import { getOpen } from './feed/get-open.ts'
import { preview } from './feed/preview.ts'
import { exportData } from './export/export-data.ts'
import { readFile } from './files/read-file.ts'
import { receiveUpload } from './files/receive-upload.ts'
import { uploadOffset } from './files/upload-offset.ts'
import type { AnyEndpoint } from './kit/endpoint.ts'
import { report } from './moderation/report.ts'
import { listNotices } from './notices/list.ts'
import { markRead } from './notices/mark-read.ts'
import { deleteAlert, getAlert, setAlert } from './notices/set-alert.ts'
import { getPush, subscribe, unsubscribe } from './notices/subscribe.ts'
import { testPush } from './notices/test-push.ts'
import { endConnection } from './oauth/end-connection.ts'
import { grantAccess } from './oauth/grant-access.ts'
import { listConnections } from './oauth/list-connections.ts'
import { showAskedAccess } from './oauth/show-asked-access.ts'
import { connectByLink } from './payouts/connect-by-link.ts'
import { connect } from './payouts/connect.ts'
import { getStatus } from './payouts/get-status.ts'
import { list as listPayouts } from './payouts/list.ts'
import { openDashboard } from './payouts/open-dashboard.ts'
import { requestRefresh } from './payouts/request-refresh.ts'
import { request as requestPayout } from './payouts/request.ts'
import { receiveAccount, receiveConnect, receiveThin } from './processor/receive.ts'
import { ask } from './questions/ask.ts'
import { askAsAgent } from './questions/ask-as-agent.ts'
import { close as closeQuestion } from './questions/close.ts'
import { closeAsAgent } from './questions/close-as-agent.ts'
import { get as getQuestion } from './questions/get.ts'
import { getAsAgent } from './questions/get-as-agent.ts'
import { listQuestions } from './questions/list.ts'
import { listAsAgent } from './questions/list-as-agent.ts'
import { reply as replyToQuestion } from './questions/reply.ts'
import { replyAsAgent } from './questions/reply-as-agent.ts'
import { answerCheckIn } from './safety/answer-check-in.ts'
import { getCheckIn } from './safety/get-check-in.ts'
import { leaveUnsafe } from './safety/leave-unsafe.ts'
import { setCheckIn } from './safety/set-check-in.ts'
import { getSpend } from './stats/get-spend.ts'
import { getStats } from './stats/get-stats.ts'
import { quote } from './stats/quote.ts'
import { accept } from './tasks/accept.ts'
import { requestNoContact } from './targets/request-no-contact.ts'
import { approve } from './tasks/approve.ts'
import { beginUpload } from './tasks/begin-upload.ts'
import { cancel } from './tasks/cancel.ts'
import { call, escalate, field, gutCheck, verify, vibe } from './tasks/create-typed.ts'
import { create } from './tasks/create.ts'
import { getAssignment } from './tasks/get-assignment.ts'
import { getProof } from './tasks/get-proof.ts'
import { get as getTask } from './tasks/get.ts'
import { listAssignments } from './tasks/list-assignments.ts'
import { list } from './tasks/list.ts'
import { release } from './tasks/release.ts'
import { requestRevision } from './tasks/request-revision.ts'
import { submitProof } from './tasks/submit-proof.ts'
import { advanceClock } from './test-mode/advance-clock.ts'
import { createWorker } from './test-mode/create-worker.ts'
import { getClock } from './test-mode/get-clock.ts'
import { deposit } from './wallet/deposit.ts'
import { get as getWallet } from './wallet/get.ts'
import { listDeliveries } from './webhooks/list-deliveries.ts'
import { listEvents } from './webhooks/list-events.ts'
import { ping } from './webhooks/ping.ts'
import { redeliver } from './webhooks/redeliver.ts'
import { replay } from './webhooks/replay.ts'
import { beginPlay } from './workers/begin-play.ts'
import { beginSession } from './workers/begin-session.ts'
import { cancelEmailChange } from './workers/cancel-email-change.ts'
import { changeEmail } from './workers/change-email.ts'
import { changePassword } from './workers/change-password.ts'
import { closeAccount } from './workers/close-account.ts'
import { confirmEmailChange } from './workers/confirm-email-change.ts'
import { endDevice } from './workers/end-device.ts'
import { endSession } from './workers/end-session.ts'
import { endSessions } from './workers/end-sessions.ts'
import { fileObjection } from './workers/file-objection.ts'
import { forgotPassword } from './workers/forgot-password.ts'
import { getClosing } from './workers/get-closing.ts'
import { getEarnings } from './workers/get-earnings.ts'
import { getEmail } from './workers/get-email.ts'
import { getLeaderboard } from './workers/get-leaderboard.ts'
import { getProfile } from './workers/get-profile.ts'
import { getPublicProfile } from './workers/get-public-profile.ts'
import { getTrust } from './workers/get-trust.ts'
import { keepAccount } from './workers/keep-account.ts'
import { listEarnings } from './workers/list-earnings.ts'
import { listSessions } from './workers/list-sessions.ts'
import { logIn } from './workers/log-in.ts'
import { register as registerWorker } from './workers/register.ts'
import { resendVerification } from './workers/resend-verification.ts'
import { resetPassword } from './workers/reset-password.ts'
import { showApp } from './workers/show-app.ts'
import { showDecision } from './workers/show-decision.ts'
import { showSession } from './workers/show-session.ts'
import { undoEmailChange } from './workers/undo-email-change.ts'
import { updateProfile } from './workers/update-profile.ts'
import { followVerifyLink, verifyEmail } from './workers/verify-email.ts'

export const endpoints: readonly AnyEndpoint[] = [
  create,
  list,
  getTask,
  getProof,
  approve,
  dispute,
  withdrawDispute,
  replyToAppeal,
  requestRevision,
  cancel,
  requestPayout,
  verify,
  call,
  gutCheck,
  field,
  escalate,
  vibe,
  getWallet,
  deposit,
  getStats,
  getSpend,
  quote,
  register,
  recover,
  confirmRecovery,
  verifyAgentEmail,
  resendAgentVerification,
  listKeys,
  createKey,
  updateKey,
  rotateKey,
  deleteKey,
  listConnections,
  endConnection,
  showAskedAccess,
  grantAccess,
  askAsAgent,
  listAsAgent,
  getAsAgent,
  replyAsAgent,
  closeAsAgent,
  getAgent,
  updateAgent,
  getChecklist,
  listRequests,
  getRequest,
  listEvents,
  redeliver,
  replay,
  listDeliveries,
  ping,
  rotateWebhookSecret,
  beginConsoleSession,
  showConsoleSession,
  switchMode,
  endConsoleSession,
  requestLogInLink,
  beginPersonSession,
  listPeople,
  invitePerson,
  updatePerson,
  removePerson,
  leaveAgent,
  listActions,
  createTestAgent,
  advanceClock,
  getClock,
  createWorker,
  registerWorker,
  followVerifyLink,
  verifyEmail,
  resendVerification,
  logIn,
  showDecision,
  fileObjection,
  connectByLink,
  appealByLink,
  forgotPassword,
  resetPassword,
  listSessions,
  endDevice,
  endSessions,
  changePassword,
  getEmail,
  changeEmail,
  cancelEmailChange,
  confirmEmailChange,
  undoEmailChange,
  exportData,
  getClosing,
  closeAccount,
  keepAccount,
  beginSession,
  showSession,
  endSession,
  beginPlay,
  showApp,
  getFeed,
  getOpen,
  preview,
  listAssignments,
  getAssignment,
  accept,
  submitProof,
  beginUpload,
  uploadOffset,
  receiveUpload,
  readFile,
  release,
  leaveUnsafe,
  getCheckIn,
  setCheckIn,
  answerCheckIn,
  appeal,
  report,
  getProfile,
  updateProfile,
  getTrust,
  getEarnings,
  listEarnings,
  listPayouts,
  listNotices,
  markRead,
  ask,
  listQuestions,
  getQuestion,
  replyToQuestion,
  closeQuestion,
  getPush,
  subscribe,
  unsubscribe,
  testPush,
  getAlert,
  setAlert,
  deleteAlert,
  getLeaderboard,
  getPublicProfile,
  connect,
  openDashboard,
  getStatus,
  requestRefresh,
  receiveAccount,
  receiveConnect,
  receiveThin,
  requestNoContact,
]
