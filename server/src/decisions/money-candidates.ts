/** Candidates for decisions about payouts, deposits, refunds, chargebacks, withdrawals and breaks of the books. */
import { findAnywhere, type Reader, type Shards } from '../kit/db.ts'
import { type Candidate, cents, type Found } from './candidates.ts'
import { OWN_FUNDS } from './kinds/withdraw-own-funds.ts'

export const aboutPayout = (id: string): Found => ({
  candidates: [
    { label: 'Release the payout', kind: 'payout.release', subject: id },
    { label: 'Keep holding it', kind: 'payout.hold', subject: id },
    { label: 'Send it again', kind: 'payout.retry', subject: id },
    {
      label: 'Take it back',
      kind: 'payout.reverse',
      subject: id,
      fields: [cents('Amount; all of it if empty', { isRequired: false })],
      isDanger: true,
    },
  ],
})

const aboutSuspense = (transactionId: string): Candidate[] => [
  {
    label: 'Give it to an agent',
    kind: 'suspense.resolve',
    subject: transactionId,
    input: { to: 'agent' },
    fields: [{ name: 'agent_id', label: 'Agent', type: 'text', is_required: true }],
    probe: { agent_id: 'agent_' },
  },
  {
    label: 'Send it back to the payer',
    kind: 'suspense.resolve',
    subject: transactionId,
    input: { to: 'payer' },
  },
  {
    label: 'Book it as our own',
    kind: 'suspense.resolve',
    subject: transactionId,
    input: { to: 'own_funds' },
  },
]

export async function aboutBreak({ global }: Shards, id: string): Promise<Found> {
  const broken = await global.reader
    .selectFrom('money_breaks')
    .select(['kind', 'subject'])
    .where('id', '=', Number(id.replace(/^break_/, '')))
    .executeTakeFirst()
  if (broken === undefined) return { candidates: [] }
  return {
    candidates: [
      { label: 'Explain it', kind: 'break.explain', subject: id },
      ...(broken.kind === 'suspense' ? aboutSuspense(broken.subject) : []),
    ],
  }
}

/** A deposit that doesn't match what was ordered: its money is in suspense, under the processor's transaction. */
export async function aboutDeposit(shards: Shards, id: string): Promise<Found> {
  const deposit = await shards
    .at(id)
    .reader.selectFrom('deposits')
    .select(['charge_id', 'balance_transaction_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!deposit?.charge_id) return { candidates: [] }
  const transactionId =
    deposit.balance_transaction_id ?? (await lineOf(shards.global.reader, deposit.charge_id))?.id
  return { candidates: transactionId === undefined ? [] : aboutSuspense(transactionId) }
}

const lineOf = (reader: Reader, chargeId: string) =>
  reader
    .selectFrom('balance_transactions')
    .select('id')
    .where('source_id', '=', chargeId)
    .where('type', 'in', ['charge', 'payment'])
    .executeTakeFirst()

/** The money of a failed refund is in the wallet again. */
export async function aboutRefund(shards: Shards, id: string): Promise<Found> {
  const refund = await shards
    .at(id)
    .reader.selectFrom('refunds')
    .select(['agent_id', 'amount_cents', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (refund?.status !== 'failed' && refund?.status !== 'rejected') return { candidates: [] }
  const { agent_id, amount_cents } = refund
  return {
    candidates: [
      {
        label: 'Refund the amount again',
        kind: 'refund.request',
        subject: agent_id,
        input: { amount_cents },
      },
    ],
  }
}

/** The processor decides about a chargeback; we decide what its agent may do meanwhile. */
export async function aboutChargeback(shards: Shards, id: string): Promise<Found> {
  const found = await findAnywhere(shards, (reader) =>
    reader.selectFrom('chargebacks').select('agent_id').where('id', '=', id).executeTakeFirst(),
  )
  if (found === undefined) return { candidates: [] }
  const subject = found.agent_id
  return {
    candidates: [
      { label: 'Free the agent', kind: 'agent.free', subject, reasons: ['agent_freed'] },
      {
        label: 'Restrict the agent',
        kind: 'agent.restrict',
        subject,
        isDanger: true,
        reasons: ['agent_free_tasks', 'agent_unfair_disputes'],
      },
    ],
  }
}

export async function aboutWithdrawal({ global }: Shards, id: string): Promise<Found> {
  const withdrawal = await global.reader
    .selectFrom('withdrawals')
    .select(['amount_cents', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (withdrawal?.status !== 'failed') return { candidates: [] }
  const { amount_cents } = withdrawal
  return {
    candidates: [
      {
        label: 'Withdraw the amount again',
        kind: 'withdrawal.request',
        subject: OWN_FUNDS,
        input: { amount_cents },
      },
    ],
  }
}

/** Requests without an outcome: a payout and a refund repeat theirs, an operator repeats the others. */
export function aboutAttempt(id: string): Found {
  const subject = id.replace(/^attempt_/, '')
  const [, payoutId, amount] = /^(po_[0-9a-z]{26})r(\d+)$/.exec(subject) ?? []
  if (payoutId !== undefined)
    return {
      candidates: [
        {
          label: 'Take the amount back again',
          kind: 'payout.reverse',
          subject: payoutId,
          input: { amount_cents: Number(amount) },
          isDanger: true,
        },
      ],
    }
  if (/^(?:po|rfd|wd)_[0-9a-z]{26}$/.test(subject)) return { candidates: [] }
  return { candidates: aboutSuspense(subject).filter(({ input }) => input?.to === 'payer') }
}
