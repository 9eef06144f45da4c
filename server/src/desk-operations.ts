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
import { getObject } from './desk/get-object.ts'
import { getQueue } from './desk/get-queue.ts'
import { listQueues } from './desk/list-queues.ts'
import type { AnyDeskOperation } from './kit/desk-operation.ts'
import { endSession } from './operators/end-session.ts'
import { showSession } from './operators/show-session.ts'

export const deskOperations: readonly AnyDeskOperation[] = [
  showSession,
  endSession,
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
]
