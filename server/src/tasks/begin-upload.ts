/**
 * Begin an upload for the proof of a task: announce the file, and get the address to send it to.
 *
 *   called by   the worker who holds the task; also one whose time ran out, while the slot is still free
 *   moves       nothing; the first upload adds ten minutes to the worker's time
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { testQuotaExceeded } from '../agents/errors.ts'
import { countTestUse } from '../agents/test-usage.ts'
import { countElsewhere } from '../files/count-of-day.ts'
import { tooManyFiles } from '../files/errors.ts'
import { filesOf, maxBytes } from '../files/files.ts'
import { CONTENT_TYPES, KINDS } from '../files/sniff.ts'
import { openUpload } from '../files/uploads.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { named } from '../kit/named.ts'
import { assignmentEnded, assignmentNotFound, noSlot } from './errors.ts'
import { assertMayProve } from './proof-checks.ts'
import { type Assignment, lockOwnAssignment } from './queries.ts'
import { TaskId } from './view.ts'

export const beginUpload = endpoint({
  method: 'POST',
  path: '/worker/uploads',
  name: 'createUpload',
  auth: 'worker',
  at: 'global',
  access: { object: 'own' },
  summary: 'Start an upload for a proof',
  description:
    'Send the bytes as described by `method`, `url`, `headers` and `fields`: PATCH with the ' +
    'bytes as the body, which can be resumed (tus 1.0), or POST as a form with these fields ' +
    'and `file` as the last one. Then use `upload_id` in the proof within a day.',
  body: z.object({
    task_id: TaskId,
    kind: z.enum(KINDS),
    content_type: z.string().max(100),
    bytes: z.int().min(1),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits')
      .toLowerCase(),
  }),
  success: {
    status: 201,
    body: named(
      'Upload',
      z.object({
        upload_id: z.string(),
        method: z.enum(['PATCH', 'POST']),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        fields: z.record(z.string(), z.string()).optional(),
        expires_at: z.iso.datetime(),
      }),
    ),
  },
  errors: [assignmentNotFound, assignmentEnded, noSlot, tooManyFiles, testQuotaExceeded],

  async handler({ runAt, shards, worker, body, now, config, address }) {
    const contentType = body.content_type.toLowerCase()
    if (!CONTENT_TYPES[body.kind].includes(contentType))
      throw invalidField('content_type', `must be one of ${CONTENT_TYPES[body.kind].join(', ')}`)
    const bytesMax = maxBytes(config, body.kind)
    if (body.bytes > bytesMax) throw invalidField('bytes', `must be at most ${bytesMax}`)

    // The upload belongs to the task's shard. If its transaction commits without that of the response, nobody knows the
    // upload, and it is removed like any unused one.
    const db = shards.at(body.task_id)
    const sent = { workerId: worker.id, taskId: body.task_id, now }
    const sentElsewhere = await countElsewhere(shards, sent)
    return runAt(db, async (tx) => {
      const assignment = await lockHeld(tx, { taskId: body.task_id, workerId: worker.id })
      const way = await openUpload(tx, filesOf(config), {
        taskId: body.task_id,
        assignmentId: assignment.id,
        workerId: worker.id,
        kind: body.kind,
        contentType,
        bytes: body.bytes,
        sha256: body.sha256,
        sentElsewhere,
        now,
      })
      if (worker.agentId !== null) {
        const use = { agentId: worker.agentId, address: address(), tasks: 0, bytes: body.bytes }
        await countTestUse({ db, tx }, config, { ...use, now })
      }
      await noteUpload(tx, assignment, now)
      return way
    })
  },
})

/** The timer (time-out.ts) reads this to grant extra time, so a worker isn't cut off in the middle of an upload. */
async function noteUpload(
  tx: Tx,
  { id, upload_begun_at }: Pick<Assignment, 'id' | 'upload_begun_at'>,
  now: Date,
): Promise<void> {
  if (upload_begun_at !== null) return
  await tx.updateTable('assignments').set({ upload_begun_at: now }).where('id', '=', id).execute()
}

async function lockHeld(
  tx: Tx,
  own: { taskId: string; workerId: string },
): Promise<Pick<Assignment, 'id' | 'upload_begun_at'>> {
  const work = await lockOwnAssignment(tx, own)
  assertMayProve(work)
  return work.assignment
}
