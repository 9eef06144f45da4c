/**
 * Resolve money in suspense: it belongs to an agent, goes back to its payer, or is our own.
 *
 *   called by   an operator with the right `pay`
 *   moves       see reconcile/resolve-suspense.ts
 *   money       suspense → wallet, the processor's balance, or own funds
 *   event       none
 */
import { z } from 'zod'
import { shardOf } from '../../kit/ids.ts'
import { suspenseRefund, suspenseToAgent, suspenseToOperator } from '../../ledger/movements.ts'
import {
  CannotResolve,
  centsInSuspense,
  giveToAgent,
  sendBack,
  type SentBack,
  takeAsOurs,
} from '../../reconcile/resolve-suspense.ts'
import { decision } from '../decision.ts'
import { decisionRefused } from '../errors.ts'
import { linesOf } from '../lines.ts'
import { OutcomeUnknown } from '../outcome-unknown.ts'

type Resolved =
  | { verdict: 'to'; agent_id: string; amount_cents: number }
  | { verdict: 'ours'; amount_cents: number }
  | { verdict: 'back'; sent: SentBack }

const TO = z.discriminatedUnion('to', [
  z.object({ to: z.literal('agent'), agent_id: z.string().regex(/^agent_/) }),
  z.object({ to: z.literal('payer') }),
  z.object({ to: z.literal('own_funds') }),
])

export const resolveSuspense = decision({
  kind: 'suspense.resolve',
  right: 'pay',
  title: 'Resolve money in suspense',
  input: TO,

  /** With the lines that it posts, or with the request to the processor. */
  home: ({ input }) =>
    input.to === 'agent' ? shardOf(input.agent_id) : input.to === 'payer' ? 'global' : 0,

  async preview({ db }, { subject, input }) {
    const cents = await inWords(centsInSuspense(db.shards.global, subject))
    if (cents < 0 && input.to !== 'own_funds')
      throw decisionRefused({
        why: 'This money has left our balance; it can only be booked as our own expense',
      })
    const of = { mode: 'live', shard: 0, amountCents: Math.abs(cents) } as const
    const balanceTransactionId = subject
    const entry =
      input.to === 'agent'
        ? suspenseToAgent({ ...of, balanceTransactionId, agentId: input.agent_id })
        : input.to === 'payer'
          ? suspenseRefund({ ...of, balanceTransactionId })
          : suspenseToOperator({ ...of, balanceTransactionId, isReceipt: cents > 0 })
    return {
      amount_cents: Math.abs(cents),
      lines: await linesOf(db.shards, [entry]),
      tells: [],
      changes: ['The money is no longer in suspense, and its break closes with the next run'],
      undo: null,
    }
  },

  async carryOut(background, { subject: transactionId, input }): Promise<Resolved> {
    const db = background.db.shards.global
    const now = background.clock.now()
    if (input.to === 'agent') {
      const agentId = input.agent_id
      const amount_cents = await inWords(
        db.transaction((tx) => giveToAgent({ db, tx }, { transactionId, agentId, now })),
      )
      return { verdict: 'to' as const, agent_id: agentId, amount_cents }
    }
    if (input.to === 'own_funds') {
      const amount_cents = await inWords(
        db.transaction((tx) => takeAsOurs({ db, tx }, { transactionId, now })),
      )
      return { verdict: 'ours' as const, amount_cents }
    }
    const sent = await inWords(sendBack(background, { transactionId }))
    if (sent.outcome === 'unknown') throw new OutcomeUnknown({ verdict: 'back', sent })
    return { verdict: 'back' as const, sent }
  },

  /** Money in suspense is resolved once, under one key. */
  async findDone({ db }, { subject, input, since }) {
    const to = input.to
    const home = to === 'agent' ? db.shards.at(input.agent_id) : db.shards.of(0)
    const kind = `suspense_${to === 'agent' ? 'to_agent' : to === 'payer' ? 'refund' : 'to_operator'}`
    const line = await home.reader
      .selectFrom('transfers')
      .select('amount_cents')
      .where('key', '=', `suspense:${subject}:resolved`)
      .where('kind', '=', kind)
      .where('created_at', '>=', since)
      .executeTakeFirst()
    if (line === undefined) return undefined
    const { amount_cents } = line
    if (to === 'agent') return { verdict: 'to' as const, agent_id: input.agent_id, amount_cents }
    if (to === 'own_funds') return { verdict: 'ours' as const, amount_cents }
    const sent = { outcome: 'sent' as const, amountCents: amount_cents }
    return { verdict: 'back' as const, sent }
  },
})

/** Why it can't be resolved is a sentence for the operator. */
const inWords = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (error instanceof CannotResolve) throw decisionRefused({ why: error.message })
    throw error
  })
