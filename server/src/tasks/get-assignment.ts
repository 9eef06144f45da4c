/**
 * Show one of the worker's own tasks: the full brief, and what became of their proof.
 *
 *   called by   the worker who accepted it; the exact place only while it is theirs
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { filesOfProofs } from '../files/show.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Brief, OwnAssignment, viewBrief, viewOwnAssignment } from './assignment-view.ts'
import { assignmentNotFound } from './errors.ts'
import { OwnProof, viewOwnProof } from './proof-fields.ts'
import { findOwnAssignment } from './queries.ts'
import { TaskId } from './view.ts'

export const getAssignment = endpoint({
  method: 'GET',
  path: '/worker/tasks/:id',
  auth: 'worker',
  summary: 'Show one of your own tasks',
  params: z.object({ id: TaskId }),
  success: {
    status: 200,
    body: z.object({
      task: Brief,
      assignment: OwnAssignment,
      proofs: z.array(OwnProof).describe('What you sent, oldest first; the last one counts'),
    }),
  },
  errors: [assignmentNotFound],

  async handler({ db, worker, params }) {
    const own = { taskId: params.id, workerId: worker.id }
    const { task, assignment } = await findOwnAssignment(db, own)
    const proofs = await db
      .selectFrom('proofs')
      .selectAll()
      .where('assignment_id', '=', assignment.id)
      .orderBy('id')
      .execute()
    const files = await filesOfProofs(
      db,
      proofs.map(({ id }) => id),
    )
    return {
      task: viewBrief(task, assignment),
      assignment: viewOwnAssignment(assignment),
      proofs: proofs.map((proof) =>
        viewOwnProof(
          proof,
          files.filter(({ proof_id }) => proof_id === proof.id),
        ),
      ),
    }
  },
})
