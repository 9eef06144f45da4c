/** The text of each kind of notice, money first. Pure rules. */
import type { Answer } from '../api.ts'
import type { Text } from '../text/use-text.tsx'

export type Notice = Answer<'/worker/notices'>['notices'][number]

/** Format of a near date and time. */
export const WHEN: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
}

interface Words {
  title: string
  /** The agent's words. */
  quote?: string | undefined
  /** The deadline and what to do by then; hidden once it has passed. */
  until?: string | undefined
}

export function wordsOf(notice: Notice, text: Text, now = Date.now()): Words {
  const values = {
    money: text.money(notice.amount_cents ?? 0),
    tip: text.money(notice.tip_cents ?? 0),
    agent: notice.agent_name ?? text('inbox.theAgent'),
    distance: notice.distance_km === null ? '' : text.distance(notice.distance_km),
  }
  const isOpen = notice.until !== null && Date.parse(notice.until) > now
  const when = isOpen ? text.date(notice.until!, WHEN) : ''
  switch (notice.kind) {
    case 'new_task':
      return {
        title: text(notice.distance_km === null ? 'inbox.newTask' : 'inbox.newTaskNear', values),
      }
    case 'half_time':
      return {
        title: text('inbox.halfTime', values),
        until: isOpen ? text('inbox.sendUntil', { when }) : undefined,
      }
    case 'check_in':
      return { title: text('inbox.checkIn') }
    case 'disputed':
      return {
        title: text('inbox.disputed', values),
        quote: notice.reason ?? undefined,
        until: isOpen ? text('inbox.answerUntil', { when }) : undefined,
      }
    case 'dispute_held':
      return {
        title: text('inbox.disputeHeld', values),
        quote: notice.reason ?? undefined,
        until: isOpen ? text('inbox.decidesBy', { when }) : undefined,
      }
    case 'revision_requested':
      return {
        title: text('inbox.revision', values),
        quote: notice.reason ?? undefined,
        until: isOpen ? text('inbox.sendUntil', { when }) : undefined,
      }
    case 'decided':
      return { title: text(decisionOf(notice), values) }
    case 'level_lowered':
      return { title: text('inbox.levelLowered', { level: notice.reason ?? '' }) }
    case 'cancelled':
      return {
        title: text(notice.amount_cents ? 'inbox.cancelledPaid' : 'inbox.cancelled', values),
      }
    case 'paid':
      return { title: text(notice.tip_cents ? 'inbox.paidTip' : 'inbox.paid', values) }
    case 'payout_paid':
      return { title: text('inbox.payoutPaid', values) }
    case 'payout_failed':
      return { title: text('inbox.payoutFailed', values) }
    case 'question_answered':
      return { title: text('inbox.questionAnswered') }
  }
}

/** Where the agent is named in the middle of the sentence, there is another one without a name. */
function decisionOf({ reason, amount_cents, agent_name }: Notice) {
  const isNamed = agent_name !== null
  // A held dispute of single proofs ended without effect: the task is still to be settled.
  if (amount_cents === null && reason !== 'upheld')
    return isNamed ? 'inbox.noEffect' : 'inbox.noEffectUnnamed'
  switch (reason) {
    case 'rejected':
      return isNamed ? 'inbox.rejected' : 'inbox.rejectedUnnamed'
    case 'lapsed':
      return isNamed ? 'inbox.lapsed' : 'inbox.lapsedUnnamed'
    case 'overturned':
      return 'inbox.overturned'
    case 'withdrawn':
      return 'inbox.withdrawn'
    case 'split':
      return 'inbox.split'
    default:
      return 'inbox.upheld'
  }
}
