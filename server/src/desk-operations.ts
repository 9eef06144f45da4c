/** All operations of the operators' desk. */
import { agreeToDecision } from './decisions/agree.ts'
import { declineDecision } from './decisions/decline.ts'
import { getDecision } from './decisions/get-decision.ts'
import { listDecisions } from './decisions/list-decisions.ts'
import { listLimits } from './decisions/list-limits.ts'
import { makeDecision } from './decisions/make-decision.ts'
import { previewDecision } from './decisions/preview-decision.ts'
import { undoDecision } from './decisions/undo.ts'
import { withdrawDecision } from './decisions/withdraw.ts'
import { addNote } from './desk/add-note.ts'
import { answerQuestion } from './desk/answer-question.ts'
import { assignCase } from './desk/assign-case.ts'
import { closeQuestion } from './desk/close-question.ts'
import { getObject } from './desk/get-object.ts'
import { getQueue } from './desk/get-queue.ts'
import { listBoardRows } from './desk/list-board-rows.ts'
import { listColleagues } from './desk/list-colleagues.ts'
import { listQueues } from './desk/list-queues.ts'
import { listSwitches } from './desk/list-switches.ts'
import { look } from './desk/look.ts'
import { releaseCase } from './desk/release-case.ts'
import { search } from './desk/search.ts'
import { showBoard } from './desk/show-board.ts'
import { showQuestion } from './desk/show-question.ts'
import type { AnyDeskOperation } from './kit/desk-operation.ts'
import { addOperator } from './operators/add-operator.ts'
import { beginInvitation } from './operators/begin-invitation.ts'
import { beginOidc } from './operators/begin-oidc.ts'
import { beginPasskey } from './operators/begin-passkey.ts'
import { beginSignIn } from './operators/begin-sign-in.ts'
import { changeOperator } from './operators/change-operator.ts'
import { endOtherSession } from './operators/end-other-session.ts'
import { endSession } from './operators/end-session.ts'
import { endSessionsOfOperator } from './operators/end-sessions-of-operator.ts'
import { exportAuditLog } from './operators/export-audit-log.ts'
import { finishInvitation } from './operators/finish-invitation.ts'
import { finishPasskey } from './operators/finish-passkey.ts'
import { finishSignIn } from './operators/finish-sign-in.ts'
import { listAuditLog } from './operators/list-audit-log.ts'
import { listOperators } from './operators/list-operators.ts'
import { listPasskeys } from './operators/list-passkeys.ts'
import { listSessionsOfOperator } from './operators/list-sessions-of-operator.ts'
import { listSessions } from './operators/list-sessions.ts'
import { removePasskey } from './operators/remove-passkey.ts'
import { removePasskeysOfOperator } from './operators/remove-passkeys-of-operator.ts'
import { returnFromOidc } from './operators/return-from-oidc.ts'
import { sendLink } from './operators/send-link.ts'
import { showSession } from './operators/show-session.ts'
import { signInByLink } from './operators/sign-in-by-link.ts'
import { verifyAuditLog } from './operators/verify-audit-log.ts'

export const deskOperations: readonly AnyDeskOperation[] = [
  beginSignIn,
  finishSignIn,
  signInByLink,
  beginOidc,
  returnFromOidc,
  beginInvitation,
  finishInvitation,
  showSession,
  endSession,
  listSessions,
  endOtherSession,
  listPasskeys,
  beginPasskey,
  finishPasskey,
  removePasskey,
  listOperators,
  addOperator,
  changeOperator,
  sendLink,
  removePasskeysOfOperator,
  listSessionsOfOperator,
  endSessionsOfOperator,
  listAuditLog,
  exportAuditLog,
  verifyAuditLog,
  previewDecision,
  makeDecision,
  listDecisions,
  getDecision,
  agreeToDecision,
  declineDecision,
  withdrawDecision,
  undoDecision,
  listLimits,
  listQueues,
  getQueue,
  getObject,
  showQuestion,
  answerQuestion,
  closeQuestion,
  showBoard,
  listBoardRows,
  listSwitches,
  search,
  look,
  addNote,
  assignCase,
  releaseCase,
  listColleagues,
]
