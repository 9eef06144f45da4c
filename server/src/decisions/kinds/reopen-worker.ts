/**
 * Reopen an account that its owner closed, so that the owner can claim the balance.
 *
 *   called by   an operator with the right `rule`, who has checked who is asking
 *   moves       see workers/reopen.ts
 *   money       none; whoever has the email can then claim what is left
 *   event       mail.requested (ours)
 */
import { z } from 'zod'
import { byId } from '../../workers/queries.ts'
import { refusalToReopen, reopenWorker as reopen } from '../../workers/reopen.ts'
import { decision } from '../decision.ts'
import { decisionRefused } from '../errors.ts'
import { orRefuse } from './workers.ts'

export const reopenWorker = decision({
  kind: 'worker.reopen',
  right: 'rule',
  title: 'Reopen a worker’s account',
  input: z.object({ email: z.email().max(254) }),

  async preview({ db }, { subject }) {
    const { reader } = db.shards.at(subject)
    const refused = refusalToReopen(subject, await byId(reader, subject))
    if (refused !== undefined) throw decisionRefused({ why: refused.refusal })
    const ledger = await reader
      .selectFrom('ledger_workers')
      .select('payable_cents')
      .where('worker_id', '=', subject)
      .executeTakeFirst()
    return {
      // The person who gets the link can have this paid out.
      amount_cents: ledger?.payable_cents ?? 0,
      lines: [],
      tells: [{ who: 'worker', id: subject, what: 'a link to choose a password: by email' }],
      changes: ['The account gets this email, and its owner can add a bank account and be paid'],
      undo: 'Close the account again',
    }
  },

  async carryOut({ db, clock }, { subject, input: { email } }) {
    const { id } = await orRefuse(reopen(db, { workerId: subject, email, now: clock.now() }))
    return { id }
  },

  async findDone({ db }, { subject, input: { email } }) {
    const worker = await byId(db.shards.at(subject).reader, subject)
    return worker?.email === email && worker.status === 'active' ? { id: subject } : undefined
  },
})
