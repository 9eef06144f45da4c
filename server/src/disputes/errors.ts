import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const notDisputed = defineError(
  409,
  'not_disputed',
  'There is no dispute of your work that you could appeal against',
  { status: z.string() },
  {
    who: 'worker',
    cause: 'Your work for this task is not disputed, so there is nothing to appeal against.',
    fix: '`status` says where your work is.',
  },
)
export const appealUsed = defineError(
  409,
  'appeal_used',
  'You have appealed against this dispute before; an appeal can’t be changed',
  {},
  {
    who: 'worker',
    cause: 'You have appealed against this dispute before.',
    fix: 'Wait for the decision: you are told of it.',
  },
)
export const appealTooLate = defineError(
  409,
  'appeal_too_late',
  'The time to appeal against this dispute is over',
  { appeal_until: z.iso.datetime() },
  {
    who: 'worker',
    cause: 'An appeal is possible for 72 hours.',
    fix: 'Write to support if something has kept you from it.',
  },
)
export const noAppeal = defineError(
  409,
  'no_appeal',
  'There is no appeal against this dispute that waits for your answer',
  {},
  {
    who: 'agent',
    cause: 'The worker has not appealed, or the appeal is decided.',
    fix: 'Nothing is to be answered. `GET /tasks/:id` shows the dispute.',
  },
)
export const appealAnswered = defineError(
  409,
  'appeal_answered',
  'You have answered this appeal before; an operator decides on it',
  {},
  {
    who: 'agent',
    cause: 'You have answered this appeal.',
    fix: 'An operator decides; `task.dispute_resolved` tells how.',
  },
)
export const answerTooLate = defineError(
  409,
  'answer_too_late',
  'The time to answer this appeal is over',
  { agent_until: z.iso.datetime() },
  {
    who: 'agent',
    cause: 'You had 48 hours to answer, and silence concedes.',
    fix: 'The worker is paid. Handle `task.appealed` to answer in time.',
  },
)
export const withdrawTooLate = defineError(
  409,
  'withdraw_too_late',
  'The time to withdraw this dispute is over',
  { withdraw_until: z.iso.datetime() },
  {
    who: 'agent',
    cause: 'A dispute can be withdrawn for 30 days.',
    fix: 'Nothing can be changed any more.',
  },
)
export const appealNotFound = defineError(
  404,
  'appeal_not_found',
  'There is no such appeal; where several workers of a task have appealed, name the appeal itself',
  {},
  {
    who: 'operator',
    cause: 'No appeal has this id, or the task has several.',
    fix: 'Name the appeal itself.',
  },
)
export const appealNotAnswered = defineError(
  409,
  'appeal_not_answered',
  'The agent has not answered this appeal; silence concedes',
  { agent_until: z.iso.datetime() },
  {
    who: 'operator',
    cause: 'The agent still has time to answer.',
    fix: 'Decide after `agent_until`, or after the answer.',
  },
)
export const heldDisputeNotFound = defineError(
  404,
  'held_dispute_not_found',
  'There is no such dispute, or it was never held',
  {},
  {
    who: 'operator',
    cause: 'No dispute has this id, or it took effect at once and was never held.',
    fix: '`ops disputes` lists those that wait for a decision.',
  },
)
export const heldDisputeDecided = defineError(
  409,
  'held_dispute_decided',
  'This dispute is already decided',
  { status: z.string() },
  {
    who: 'operator',
    cause: 'Another operator, the agent or the clock has ended this held dispute.',
    fix: '`status` says how it ended. Nothing is left to do.',
  },
)
export const heldDisputeLapsed = defineError(
  409,
  'held_dispute_lapsed',
  'The time to uphold this dispute has passed; the worker is being paid',
  { decides_by: z.iso.datetime() },
  {
    who: 'operator',
    cause: 'Nobody decided by `decides_by`, so the worker is paid.',
    fix: 'Nothing is left to do.',
  },
)
export const appealRuled = defineError(
  409,
  'appeal_ruled',
  'This appeal is decided',
  {
    ruling: z.string(),
  },
  { who: 'operator', cause: 'Somebody has decided this appeal.', fix: '`ruling` says how.' },
)
