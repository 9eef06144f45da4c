/** Show one worker: the account, the record, current assignments and what is waiting. */
import type { Reader } from '../kit/db.ts'
import { hasObjectionWaiting } from '../workers/decisions.ts'
import { workerIdOf } from '../workers/queries.ts'
import { levelOf, trustScore } from '../workers/trust.ts'
import { command, CommandRefused, named } from './command.ts'
import { masked, type Wait } from './look-up.ts'
import { payoutWait } from './payout-waits.ts'

const SHOWN_MAX = 20

export const worker = command({
  name: 'worker',
  takes: 'WORKER | EMAIL [--email] [--json]',
  does: 'show a worker: account, record, slots, money, open items; the lookup is recorded',
  right: 'view',
  isLook: true,
  isRecorded: true,
  flags: ['--email'],
  async run({ db, clock }, { words: [word], flags }) {
    const now = clock.now()
    const sought = named(word, 'a worker or an email')
    const id = sought.includes('@') ? await workerIdOf(db.shards.global.reader, sought) : sought
    const found =
      id === undefined
        ? undefined
        : await db.shards
            .at(id)
            .reader.selectFrom('workers')
            .selectAll()
            .where('id', '=', id)
            .executeTakeFirst()
    if (found === undefined) throw new CommandRefused('This worker does not exist')
    const more = await readMore(db.shards.at(found.id).reader, found.id)
    const data = {
      at: now,
      worker: {
        id: found.id,
        name: found.name,
        email: flags.has('--email') ? found.email : masked(found.email),
        mode: found.mode,
        status: found.status,
        level: levelOf(found, now),
        trust_score: trustScore(found, now),
        approved_count: found.approved_count,
        disputed_count: found.disputed_count,
        created_at: found.created_at,
      },
      ...more,
      waits: waitsOf(more, found.id),
    }
    return { data, about: found.id }
  },
})

type More = Awaited<ReturnType<typeof readMore>>

async function readMore(db: Reader, workerId: string) {
  const decisions = await db
    .selectFrom('worker_decisions')
    .selectAll()
    .where('worker_id', '=', workerId)
    .orderBy('id', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  const slots = await db
    .selectFrom('worker_assignments')
    .select(['id', 'task_id', 'status', 'pay_cents', 'accepted_at', 'expires_at'])
    .where('worker_id', '=', workerId)
    .where('status', 'in', ['accepted', 'submitted'])
    .orderBy('id', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  const payouts = await db
    .selectFrom('payouts')
    .selectAll()
    .where('worker_id', '=', workerId)
    .where('status', '<>', 'paid')
    .orderBy('id', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  const questions = await db
    .selectFrom('questions')
    .select(['id', 'subject', 'due_at'])
    .where('worker_id', '=', workerId)
    .where('status', '=', 'open')
    .orderBy('due_at')
    .limit(SHOWN_MAX)
    .execute()
  const ledger = await db
    .selectFrom('ledger_workers')
    .select('payable_cents')
    .where('worker_id', '=', workerId)
    .executeTakeFirst()
  const account = await db
    .selectFrom('payout_accounts')
    .select('status')
    .where('worker_id', '=', workerId)
    .executeTakeFirst()
  return {
    decisions,
    slots,
    payouts,
    questions,
    payable_cents: ledger?.payable_cents ?? 0,
    account: account?.status ?? null,
  }
}

function waitsOf({ decisions, payouts, questions }: More, workerId: string): Wait[] {
  const inForce = decisions.find(({ ended_at }) => ended_at === null)
  return [
    ...(inForce === undefined
      ? []
      : hasObjectionWaiting(inForce)
        ? [
            {
              what: 'an objection needs a reply',
              until: inForce.due_at,
              next: `ops objection ${workerId} uphold | reinstate NOTE`,
            },
          ]
        : [
            {
              what: `the account is ${inForce.kind}`,
              until: inForce.due_at,
              next: `ops worker reinstate ${workerId} REASON`,
            },
          ]),
    ...questions.map(({ id, subject, due_at }) => ({
      what: `a question (${subject}) needs an answer`,
      until: due_at,
      next: `ops question ${id}`,
    })),
    ...payouts.flatMap((payout) => payoutWait(payout) ?? []),
  ]
}
