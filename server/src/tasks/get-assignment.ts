/**
 * Show one of the worker's own tasks: the full brief, and the status of their proof.
 *
 *   called by   the worker who accepted it; the exact location is shown only while the assignment is theirs
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { CallOpening, viewCallOpening } from '../agents/call-opening.ts'
import { AgentView, agentsOf } from '../agents/public-view.ts'
import type { Config } from '../config.ts'
import { filesOf } from '../files/files.ts'
import { filesOfProofs, signedLink } from '../files/show.ts'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { CallHours, callHoursOf } from '../targets/call-hours.ts'
import type { TargetedTask } from '../targets/find-targets.ts'
import { Brief, OwnAssignment, viewBrief, viewOwnAssignment } from './assignment-view.ts'
import {
  HeldDispute,
  OwnDispute,
  readTrustPoints,
  viewHeldDispute,
  viewOwnDispute,
} from './dispute-view.ts'
import { assignmentNotFound } from './errors.ts'
import { OwnProof, viewOwnProof } from './proof-fields.ts'
import { type Assignment, findOwnAssignment, type Task } from './queries.ts'
import { TaskId } from './view.ts'

const ShownProof = named(
  'OwnProofWithFiles',
  OwnProof.extend({
    files: z.array(
      OwnProof.shape.files.element.extend({ url: z.string().describe('Valid for some minutes') }),
    ),
  }),
)

const Call = named(
  'Call',
  z
    .object({
      ...CallOpening.shape,
      hours: CallHours.nullable().describe(
        'Null if the number has no known time zone: some countries have several',
      ),
    })
    .describe('How a call begins, and when it may be made'),
)

export const getAssignment = endpoint({
  method: 'GET',
  path: '/worker/tasks/:id',
  name: 'getAssignment',
  auth: 'worker',
  at: 'object',
  access: { object: 'own' },
  summary: 'Show one of your own tasks',
  params: z.object({ id: TaskId }),
  success: {
    status: 200,
    body: z.object({
      task: Brief,
      assignment: OwnAssignment,
      agent: AgentView,
      call: Call.nullable().describe('Null if the task is not a call'),
      proofs: z.array(ShownProof).describe('Your proofs, oldest first; the last one counts'),
      dispute: OwnDispute.nullable().describe('Set if the agent has disputed your proof'),
      held_dispute: HeldDispute.nullable().describe(
        'Set if the agent’s dispute of your proof is waiting for Legwork’s decision, or has ' +
          'ended without effect',
      ),
    }),
  },
  errors: [assignmentNotFound],

  async handler({ db, shards, worker, params, config, now }) {
    const own = { taskId: params.id, workerId: worker.id }
    const { task, assignment } = await findOwnAssignment(db, own)
    const agents = await agentsOf(shards.at(task.id), [task.agent_id], now)
    const agent = agents.get(task.agent_id)!
    return {
      task: viewBrief(task, assignment),
      assignment: viewOwnAssignment(assignment, task),
      agent,
      call: viewCall(task, agent),
      proofs: await ownProofs(db, assignment, { config, now }),
      dispute: await viewOwnDispute(db, assignment, {
        config,
        readPoints: () => readTrustPoints(shards.at(worker.id).reader, own),
      }),
      held_dispute: await viewHeldDispute(db, assignment),
    }
  },
})

function viewCall(task: Task, agent: { name: string }): z.output<typeof Call> | null {
  const opening = viewCallOpening(task, agent)
  return opening && { ...opening, hours: callHoursOf(task as Task & TargetedTask) }
}

async function ownProofs(
  db: Reader,
  { id, worker_id }: Assignment,
  { config, now }: { config: Config; now: Date },
): Promise<z.output<typeof ShownProof>[]> {
  const proofs = await db
    .selectFrom('proofs')
    .selectAll()
    .where('assignment_id', '=', id)
    .where('worker_id', '=', worker_id)
    .orderBy('id')
    .execute()
  const found = await filesOfProofs(db, proofs)
  const files = await Promise.all(
    found.map(async (file) => {
      const { proof_id, id, kind, bytes } = file
      const { url } = await signedLink(filesOf(config), file, { now })
      return { proof_id, shown: { id, kind, bytes, url } }
    }),
  )
  return proofs.map((proof) => {
    const own = files.filter(({ proof_id }) => proof_id === proof.id)
    return { ...viewOwnProof(proof, []), files: own.map(({ shown }) => shown) }
  })
}
