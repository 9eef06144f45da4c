/** Pay in open disputes: what happens next. Pure rules. */
import { WHEN } from '../me/notice-words.ts'
import type { Text } from '../text/use-text.tsx'
import type { Earnings } from './queries.ts'

export type DisputedPay = Earnings['disputes'][number]

/** A dispute that an operator decides before it takes effect; its proof is still waiting for a verdict. */
const isHeld = ({ next, until }: DisputedPay) => next === 'operator_decides' && until !== null

/** Pay that waits for a verdict, without pay that is shown as disputed. */
export const inReviewCents = ({
  pending_cents,
  disputes,
}: Pick<Earnings, 'pending_cents' | 'disputes'>) =>
  disputes.filter(isHeld).reduce((rest, { pay_cents }) => rest - pay_cents, pending_cents)

/** Who acts next, and by when. */
export function nextStep(dispute: DisputedPay, text: Text): string {
  const when = dispute.until === null ? '' : text.date(dispute.until, WHEN)
  return text(`earnings.next_${isHeld(dispute) ? 'held' : dispute.next}`, { when })
}

/** Disputes in which the worker has to act come first; the rest stays by deadline. */
export const yoursFirst = (disputes: readonly DisputedPay[]): DisputedPay[] =>
  disputes.toSorted(
    (one, other) => Number(other.next === 'you_appeal') - Number(one.next === 'you_appeal'),
  )
