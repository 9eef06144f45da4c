/** Shared by the kinds that suspend a worker and close an account. */
import { z } from 'zod'
import type { OperatorBackground } from '../../kit/operator-background.ts'
import { decisionInForce } from '../../workers/decisions.ts'
import { byId } from '../../workers/queries.ts'
import { refusalOf, shutOutWorker, unknownTask } from '../../workers/shut-out.ts'
import type { CarryOutGiven, Effect } from '../decision.ts'
import { decisionRefused } from '../errors.ts'
import { orRefuse } from './workers.ts'

const DAY_MS = 86_400_000
const TASKS_MAX = 20

export const TASKS = z.array(z.string().max(100)).max(TASKS_MAX).default([])

interface Input {
  tasks: string[]
  days?: number | undefined
}

export const shutOutKind = (kind: 'suspended' | 'closed') => ({
  async preview(
    { db, config, clock }: OperatorBackground,
    { subject: workerId, input }: { subject: string; input: Input },
  ): Promise<Effect> {
    const { reader } = db.shards.at(workerId)
    const worker = await byId(reader, workerId)
    const earlier = await decisionInForce(reader, workerId)
    const why =
      refusalOf(worker, earlier, { workerId, kind }) ??
      (await unknownTask(reader, { workerId, taskIds: input.tasks }))
    if (why !== undefined) throw decisionRefused({ why })
    const days = input.days ?? config.SUSPENSION_DAYS
    const until = new Date(clock.now().getTime() + days * DAY_MS)
    return {
      amount_cents: null,
      lines: [],
      tells: [
        {
          who: 'worker',
          id: workerId,
          what: 'your reason, the tasks, and a link to object: by email',
        },
      ],
      changes: [
        kind === 'suspended'
          ? `The worker can’t log in until ${until.toISOString().slice(0, 10)}`
          : 'The worker can no longer log in',
        'All sessions end, and accepted tasks are handed back without a loss of trust',
        'What is earned is still paid out, and submitted work is judged and paid as usual',
      ],
      undo: 'Reinstate the worker',
    }
  },

  carryOut: (
    { db, clock, config }: OperatorBackground,
    { subject, input, reason, operator }: CarryOutGiven<Input>,
  ) =>
    orRefuse(
      db.shards.at(subject).transaction((tx) =>
        shutOutWorker(tx, {
          workerId: subject,
          kind,
          reason,
          taskIds: input.tasks,
          days: input.days,
          operator,
          config,
          now: clock.now(),
        }),
      ),
    ),

  findDone: (
    { db }: OperatorBackground,
    { subject, operator, since }: CarryOutGiven<Input> & { since: Date },
  ) =>
    db.shards
      .at(subject)
      .reader.selectFrom('worker_decisions')
      .selectAll()
      .where('worker_id', '=', subject)
      .where('kind', '=', kind)
      .where('decided_by', '=', operator)
      .where('decided_at', '>=', since)
      .executeTakeFirst(),
})
