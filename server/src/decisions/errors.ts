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
