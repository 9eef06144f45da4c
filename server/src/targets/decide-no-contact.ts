/**
 * Confirm or decline a request not to be contacted, or end a protection.
 *
 *   called by   an operator, through the decision `no_contact.decide`
 *   moves       requested → confirmed or declined; confirmed → declined
 *   money       none
 *   event       no_contact.answered (ours): emails the person
 */
import type { Reader, Tx } from '../kit/db.ts'
import { requestWork } from '../webhooks/record-event.ts'

/** Numbers and flats get new owners, so the person asks again after this time. */
export const PROTECTED_DAYS = 730
const DAY_MS = 86_400_000

export type NoContactVerdict = 'confirmed' | 'declined'

/** Undefined if there is nothing to decide. */
export async function decideNoContact(
  tx: Tx,
  { id, verdict, note, now }: { id: string; verdict: NoContactVerdict; note: string; now: Date },
) {
  const row = await tx
    .selectFrom('do_not_contact')
    .select(['id', 'state'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined || !canDecide(row, verdict)) return undefined
  const isConfirmed = verdict === 'confirmed'
  const decided = await tx
    .updateTable('do_not_contact')
    .set({
      state: verdict,
      value: null,
      reason: null,
      note,
      decided_at: now,
      due_at: isConfirmed ? new Date(now.getTime() + PROTECTED_DAYS * DAY_MS) : null,
      ended_at: isConfirmed ? null : now,
    })
    .where('id', '=', id)
    .returning(['id', 'kind', 'state', 'due_at'])
    .executeTakeFirstOrThrow()
  await requestWork(tx, [{ type: 'no_contact.answered', id }], { now })
  return decided
}

export const canDecide = ({ state }: { state: string }, verdict: NoContactVerdict): boolean =>
  state === 'requested' || (state === 'confirmed' && verdict === 'declined')

export const findNoContactRow = (reader: Reader, id: string) =>
  reader.selectFrom('do_not_contact').selectAll().where('id', '=', id).executeTakeFirst()
