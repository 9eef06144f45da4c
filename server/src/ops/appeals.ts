/** Appeals that wait for an operator's ruling: the request, the proof, both sides' arguments and the cost. */
import type { Config } from '../config.ts'
import { partsOf } from '../disputes/rulings.ts'
import { filesOf } from '../files/files.ts'
import { filesOfProofs, signedLink } from '../files/show.ts'
import type { Reader } from '../kit/db.ts'
import { mergeSorted, orderBy, readShards } from '../kit/everywhere.ts'
import { type Appeal, type Dispute, disputeOf, type Ruling } from '../tasks/dispute-view.ts'
import {
  type Assignment,
  assignmentsOf,
  type Proof,
  standingProofs,
  type Task,
} from '../tasks/queries.ts'
import { command } from './command.ts'

/** As many as a person can read in one sitting. */
const SHOWN_MAX = 20

/** The effect of a ruling. */
export interface Effect {
  ruling: Ruling
  worker_gets_cents: number
  agent_pays_cents: number
  /** The part of it that the wallet does not cover. */
  agent_owes_cents: number
  fund_pays_cents: number
  trust: string
}

export interface ShownAppeal {
  appeal: Appeal
  asked: Pick<Task, 'id' | 'type' | 'description' | 'criteria' | 'proof_required' | 'funding'>
  delivered: Pick<Proof, 'text' | 'answer' | 'outcome' | 'location' | 'checks' | 'submitted_at'> & {
    links: string[]
  }
  dispute: Pick<Dispute, 'reason' | 'category' | 'criteria' | 'created_at'>
  effects: Effect[]
}

export interface AppealReport {
  at: Date
  /** Appeals where both sides were heard, longest wait first. */
  to_rule: ShownAppeal[]
  to_rule_count: number
  /** How many appeals the agent still has time to reply to. */
  unanswered: number
}

export const appeals = command({
  name: 'appeals',
  takes: '[--json]',
  does: 'list appeals that need a ruling, with both sides and the cost of each ruling; exit 1 if there are any',
  right: 'view',
  isLook: true,
  async run({ db, clock, config }) {
    const data = await reportAppeals(db.shards.readers, { config, now: clock.now() })
    return { data, isBad: data.to_rule_count > 0 }
  },
})

export async function reportAppeals(
  shards: readonly Reader[],
  { config, now }: { config: Config; now: Date },
): Promise<AppealReport> {
  const parts = await readShards(shards, async (shard) =>
    (await openAppealsOfShard(shard)).map((appeal) => ({ shard, appeal })),
  )
  const open = mergeSorted(LONGEST_WAIT_FIRST, parts)
  const waiting = open.filter(({ appeal }) => appeal.agent_answer !== null)
  const to_rule: ShownAppeal[] = []
  for (const { shard, appeal } of waiting.slice(0, SHOWN_MAX))
    to_rule.push(await showAppeal(shard, appeal, { config, now }))
  return {
    at: now,
    to_rule,
    to_rule_count: waiting.length,
    unanswered: open.length - waiting.length,
  }
}

const LONGEST_WAIT_FIRST = orderBy<{ appeal: Appeal }>(
  ({ appeal }) => appeal.answered_at,
  ({ appeal }) => appeal.id,
)

const openAppealsOfShard = (shard: Reader): Promise<Appeal[]> =>
  shard
    .selectFrom('appeals')
    .innerJoin('tasks', 'tasks.id', 'appeals.task_id')
    .selectAll('appeals')
    .where('ruling', 'is', null)
    // Test-mode appeals don't need an operator.
    .where('tasks.mode', '=', 'live')
    .orderBy('answered_at')
    .orderBy('appeals.id')
    .execute()

async function showAppeal(
  db: Reader,
  appeal: Appeal,
  { config, now }: { config: Config; now: Date },
): Promise<ShownAppeal> {
  const task = await db
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', appeal.task_id)
    .executeTakeFirstOrThrow()
  const slots = (await assignmentsOf(db, [task])).filter(({ id }) => id === appeal.assignment_id)
  const proofs = await standingProofs(db, task)
  const proof = proofs.find(({ assignment_id }) => assignment_id === appeal.assignment_id)!
  const links = []
  for (const file of await filesOfProofs(db, [proof]))
    links.push((await signedLink(filesOf(config), file, { now })).url)
  const dispute = await disputeOf(db, appeal)
  const { wallet_cents } = await db
    .selectFrom('ledger_agents')
    .select('wallet_cents')
    .where('agent_id', '=', task.agent_id)
    .executeTakeFirstOrThrow()
  // Show only what the ruling needs: a task's context may contain a phone number, and reports get shared.
  const { id, type, description, criteria, proof_required, funding } = task
  const { text, answer, outcome, location, checks, submitted_at } = proof
  return {
    appeal,
    asked: { id, type, description, criteria, proof_required, funding },
    delivered: { text, answer, outcome, location, checks, submitted_at, links },
    dispute: {
      reason: dispute.reason,
      category: dispute.category,
      criteria: dispute.criteria,
      created_at: dispute.created_at,
    },
    effects: (['overturned', 'split', 'upheld'] as const).map((ruling) =>
      effectOf({ task, slots, ruling, touchesTrust: dispute.touches_trust, wallet_cents, config }),
    ),
  }
}

function effectOf({
  task,
  slots,
  ruling,
  touchesTrust,
  wallet_cents,
  config,
}: {
  task: Task
  slots: Assignment[]
  ruling: Ruling
  touchesTrust: boolean
  wallet_cents: number
  config: Config
}): Effect {
  const { gross_cents, net_cents } = partsOf({ task, slots, ruling, config })[0]!
  const agent_pays_cents = task.funding === 'free' ? 0 : gross_cents
  return {
    ruling,
    worker_gets_cents: net_cents,
    agent_pays_cents,
    agent_owes_cents: Math.max(0, agent_pays_cents - wallet_cents),
    fund_pays_cents: net_cents - agent_pays_cents,
    trust: trustWords(ruling, touchesTrust),
  }
}

function trustWords(ruling: Ruling, touchesTrust: boolean): string {
  if (ruling === 'upheld')
    return touchesTrust ? 'the dispute still counts' : 'trust is not affected'
  const back = touchesTrust ? 'the dispute no longer counts' : 'the dispute never counted'
  return ruling === 'overturned' ? `${back}, the work counts as approved` : back
}
