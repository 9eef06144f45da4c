/** Show one agent: its account, money, tasks and what is waiting. */
import type { Reader } from '../kit/db.ts'
import { formatCents } from '../kit/money.ts'
import { command, CommandRefused, named } from './command.ts'
import { masked, type Wait } from './look-up.ts'

const SHOWN_MAX = 20

export const agent = command({
  name: 'agent',
  takes: 'AGENT | EMAIL [--email] [--json]',
  does: 'show an agent: account, money, tasks, open items; the lookup is recorded',
  right: 'view',
  isLook: true,
  isRecorded: true,
  flags: ['--email'],
  async run({ db, clock }, { words: [word], flags }) {
    const sought = named(word, 'an agent or an email')
    const id = sought.includes('@') ? await agentIdOf(db.shards.global.reader, sought) : sought
    const found =
      id === undefined
        ? undefined
        : await db.shards
            .at(id)
            .reader.selectFrom('agents')
            .select(['id', 'mode', 'twin_id', 'name', 'email', 'status', 'restricted_for'])
            .select(['email_verified_at', 'created_at', 'expires_at'])
            .where('id', '=', id)
            .executeTakeFirst()
    if (found === undefined) throw new CommandRefused('This agent does not exist')
    const more = await readMore(db.shards.at(found.id).reader, found.id)
    const email = found.email === null || flags.has('--email') ? found.email : masked(found.email)
    const data = {
      at: clock.now(),
      agent: { ...found, email },
      ...more,
      waits: waitsOf(found, more),
    }
    return { data, about: found.id }
  },
})

async function agentIdOf(db: Reader, email: string): Promise<string | undefined> {
  const known = await db
    .selectFrom('agent_emails')
    .select('agent_id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return known?.agent_id
}

type More = Awaited<ReturnType<typeof readMore>>

async function readMore(db: Reader, agentId: string) {
  const ledger = await db
    .selectFrom('ledger_agents')
    .select(['wallet_cents', 'receivable_cents', 'free_tasks_remaining'])
    .where('agent_id', '=', agentId)
    .executeTakeFirst()
  const tasks = await db
    .selectFrom('tasks')
    .select(['status', (task) => task.fn.countAll<number>().as('count')])
    .select((task) =>
      task.cast<number>(task.fn.sum<number>('escrow_cents'), 'bigint').as('escrow_cents'),
    )
    .where('agent_id', '=', agentId)
    .where('status', 'in', ['pending', 'in_progress', 'proof_submitted'])
    .groupBy('status')
    .orderBy('status')
    .execute()
  const held = await db
    .selectFrom('disputes')
    .select(['id', 'task_id', 'decides_by'])
    .where('agent_id', '=', agentId)
    .where('status', '=', 'held')
    .orderBy('id')
    .limit(SHOWN_MAX)
    .execute()
  return {
    ledger: ledger ?? { wallet_cents: 0, receivable_cents: 0, free_tasks_remaining: 0 },
    tasks,
    held,
  }
}

function waitsOf({ id, status }: { id: string; status: string }, { ledger, held }: More): Wait[] {
  return [
    ...(status === 'restricted'
      ? [{ what: 'the agent is restricted', until: null, next: `ops agent free ${id} REASON` }]
      : []),
    ...(ledger.receivable_cents > 0
      ? [
          {
            what: `the agent owes ${formatCents(ledger.receivable_cents)}`,
            until: null,
            next: `ops write-off ${id} CENTS REASON`,
          },
        ]
      : []),
    ...held.map((dispute) => ({
      what: `the dispute of ${dispute.task_id} is held`,
      until: dispute.decides_by,
      next: `ops dispute ${dispute.id} uphold | reject NOTE`,
    })),
  ]
}
