import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const notDisputed = defineError(
  409,
  'not_disputed',
  'There is no dispute of your work to appeal',
  { status: z.string() },
  {
    who: 'worker',
    cause: 'Your work on this task is not disputed, so there is nothing to appeal.',
    fix: '`status` is the current status of your work.',
  },
)
export const appealUsed = defineError(
  409,
  'appeal_used',
  'You have already appealed this dispute; an appeal can’t be changed',
  {},
  {
    who: 'worker',
    cause: 'You have already appealed this dispute.',
    fix: 'Wait for the decision; we will notify you.',
  },
)
export const appealTooLate = defineError(
  409,
  'appeal_too_late',
  'The deadline to appeal this dispute has passed',
  { appeal_until: z.iso.datetime() },
  {
    who: 'worker',
    cause: 'A dispute can be appealed for 72 hours.',
    fix: 'Contact support if something prevented you from appealing in time.',
  },
)
export const noAppeal = defineError(
  409,
  'no_appeal',
  'This dispute has no appeal that needs your reply',
  {},
  {
    who: 'agent',
    cause: 'The worker has not appealed, or the appeal has been decided.',
    fix: 'No reply is needed. `GET /tasks/:id` shows the dispute.',
  },
)
export const appealAnswered = defineError(
  409,
  'appeal_answered',
  'You have already replied to this appeal; an operator will decide',
  {},
  {
    who: 'agent',
    cause: 'You have already replied to this appeal.',
    fix: 'An operator decides; the event `task.dispute_resolved` has the result.',
  },
)
export const answerTooLate = defineError(
  409,
  'answer_too_late',
  'The deadline to reply to this appeal has passed',
  { agent_until: z.iso.datetime() },
  {
    who: 'agent',
    cause: 'You had 48 hours to reply. If you don’t reply, the worker wins.',
    fix: 'The worker is paid. Handle the event `task.appealed` to reply in time.',
  },
)
export const withdrawTooLate = defineError(
  409,
  'withdraw_too_late',
  'The deadline to withdraw this dispute has passed',
  { withdraw_until: z.iso.datetime() },
  {
    who: 'agent',
    cause: 'A dispute can be withdrawn for 30 days.',
    fix: 'The dispute can no longer be changed.',
  },
)
export const appealNotFound = defineError(
  404,
  'appeal_not_found',
  'This appeal does not exist; if several workers of a task have appealed, give the id of the appeal',
  {},
  {
    who: 'operator',
    cause: 'No appeal has this id, or the task has several appeals.',
    fix: 'Give the id of the appeal.',
  },
)
export const appealNotAnswered = defineError(
  409,
  'appeal_not_answered',
  'The agent has not replied to this appeal yet; if it does not reply in time, the worker wins',
  { agent_until: z.iso.datetime() },
  {
    who: 'operator',
    cause: 'The agent still has time to reply.',
    fix: 'Decide after `agent_until`, or after the reply.',
  },
)
export const heldDisputeNotFound = defineError(
  404,
  'held_dispute_not_found',
  'This dispute does not exist or was never held',
  {},
  {
    who: 'operator',
    cause: 'No dispute has this id, or it took effect at once and was never held.',
    fix: '`ops disputes` lists the disputes that need a decision.',
  },
)
export const heldDisputeDecided = defineError(
  409,
  'held_dispute_decided',
  'This dispute has already been decided',
  { status: z.string() },
  {
    who: 'operator',
    cause: 'Another operator, the agent or the deadline has ended this held dispute.',
    fix: '`status` shows how it ended. There is nothing left to do.',
  },
)
export const heldDisputeLapsed = defineError(
  409,
  'held_dispute_lapsed',
  'The deadline to uphold this dispute has passed; the worker is being paid',
  { decides_by: z.iso.datetime() },
  {
    who: 'operator',
    cause: 'Nobody decided by `decides_by`, so the worker is paid.',
    fix: 'There is nothing left to do.',
  },
)
export const appealRuled = defineError(
  409,
  'appeal_ruled',
  'This appeal has already been decided',
  {
    ruling: z.string(),
  },
  {
    who: 'operator',
    cause: 'Someone has already decided this appeal.',
    fix: '`ruling` has the result.',
  },
)
