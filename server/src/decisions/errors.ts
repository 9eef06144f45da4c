import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const decisionNotFound = defineError(
  404,
  'decision_not_found',
  'This decision does not exist',
  {},
  {
    who: 'operator',
    cause: 'No decision has this id.',
    fix: 'Open the queue of decisions that wait for a second operator.',
  },
)
export const decisionNotWaiting = defineError(
  409,
  'decision_not_waiting',
  'This decision no longer waits for a second operator',
  { state: z.string() },
  {
    who: 'operator',
    cause: 'Somebody agreed or declined, the first operator withdrew it, or it lapsed.',
    fix: 'Read its state. If the matter is still open, decide again.',
  },
)
export const ownDecision = defineError(
  409,
  'own_decision',
  'You proposed this decision, so somebody else must agree to it',
  {},
  {
    who: 'operator',
    cause: 'Decisions above a limit need two operators, and these must be two persons.',
    fix: 'Ask a colleague with the same right to open the decision.',
  },
)
export const decisionWaits = defineError(
  409,
  'decision_waits',
  'A decision about this already waits for a second operator',
  { decision_id: z.string() },
  {
    who: 'operator',
    cause: 'One decision of a kind about one subject can wait at a time.',
    fix: 'Open that decision: agree, decline, or withdraw it if it is yours.',
  },
)
export const requestKeyTaken = defineError(
  409,
  'request_key_taken',
  'This request key belongs to another decision',
  {},
  {
    who: 'operator',
    cause: 'A request key is for one decision; this one was used for another.',
    fix: 'Use a new key for a new decision.',
  },
)
export const decisionMade = defineError(
  409,
  'decision_made',
  'This request was handled before, and nothing is left to do',
  { decision_id: z.string(), state: z.string() },
  {
    who: 'operator',
    cause:
      'The decision of this request is being carried out, or it failed, lapsed or was declined.',
    fix: 'Open the decision to see why. If the matter is still open, decide again.',
  },
)
export const unknownKind = defineError(
  404,
  'unknown_decision_kind',
  'There is no such kind of decision',
  {},
  {
    who: 'operator',
    cause: 'No kind of decision has this name.',
    fix: 'Use one of the choices that the page of the object lists.',
  },
)
export const notYourDecision = defineError(
  409,
  'not_your_decision',
  'Only the operator who proposed a decision can withdraw it',
  {},
  {
    who: 'operator',
    cause: 'Somebody else proposed this decision.',
    fix: 'Decline it instead.',
  },
)
export const proposerLeft = defineError(
  409,
  'proposer_left',
  'Whoever proposed this decision can no longer make it',
  {},
  {
    who: 'operator',
    cause:
      'The account of the first operator was disabled, lost the right, or is only a user of the system.',
    fix: 'Decline it, and propose it again if it is right.',
  },
)
export const noAccount = defineError(
  409,
  'no_operator_account',
  'Only an operator with an account can agree',
  {},
  {
    who: 'operator',
    cause: 'Two persons must be told apart, so a user of the system is not enough.',
    fix: 'Add a second operator, who then agrees.',
  },
)
export const cannotUndo = defineError(
  409,
  'cannot_undo',
  'This decision can’t be undone',
  {},
  {
    who: 'operator',
    cause: 'It has not taken effect, or there is no opposite decision.',
    fix: 'Open its subject to see what can be decided now.',
  },
)
export const decisionRefused = defineError(
  409,
  'decision_refused',
  'This can’t be done now',
  { why: z.string() },
  {
    who: 'operator',
    cause: '`why` says it in one sentence; usually the state of the case has changed.',
    fix: 'Open the case again to see what can be decided now.',
  },
)
