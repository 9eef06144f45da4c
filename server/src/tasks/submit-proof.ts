/**
 * Submit proof of a task: text, an answer, photos, a video, a recording.
 *
 *   called by   the worker who holds the task; also one whose time ran out, while the slot is still free
 *   moves       in_progress → proof_submitted with the last needed proof
 *   money       none; it stays in escrow until the agent decides or the task is auto-approved
 *   event       task.proof_submitted; for a consensus task also task.consensus_proof
 */
import { z } from 'zod'
import { testQuotaExceeded } from '../agents/errors.ts'
import { countTestUse } from '../agents/test-usage.ts'
import type { Config } from '../config.ts'
import { readAnswer } from '../consensus/answer.ts'
import { wantsMore } from '../consensus/consensus.ts'
import { filesOf } from '../files/files.ts'
import { attachFiles, type PreparedFile, takeInline, takeUpload } from '../files/intake.ts'
import { FileRefused } from '../files/refused.ts'
import type { Db, Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { takeBack } from '../workers/trust.ts'
import {
  Brief,
  OwnAssignment,
  viewAssignment,
  viewBrief,
  viewOwnAssignment,
} from './assignment-view.ts'
import { assignmentEnded, assignmentNotFound, noSlot } from './errors.ts'
import { type ProofNews, viewProofNews, viewAgreement } from './events.ts'
import { afterMove, type Move, moveTasks, slotsOf, touchTrust } from './moves.ts'
import { assertMayProve, checkProof } from './proof-checks.ts'
import {
  OwnProof,
  ProofBody,
  type ProofInput,
  readProofInput,
  viewOwnProof,
} from './proof-fields.ts'
import {
  type Assignment,
  findOwnAssignment,
  lockOwnAssignment,
  type Task,
  UNSAFE,
  UNSAFE_PLACE,
  type Work,
} from './queries.ts'
import { TaskId, viewTask } from './view.ts'
import { awaitVerdict, isConsensus } from './votes.ts'

const BODY_MAX_BYTES = 12 * 1024 * 1024

export const submitProof = endpoint({
  method: 'POST',
  path: '/worker/tasks/:id/proof',
  name: 'submitProof',
  auth: 'worker',
  at: 'object',
  access: { object: 'own' },
  summary: 'Submit proof of a task',
  description:
    'Photos are data URLs or base64, up to 12 MB in total; upload larger files with POST ' +
    '/worker/uploads first. JPEG, PNG, WebP and GIF are accepted, whatever type the data URL ' +
    'declares. The kind of proof in proof_required must be included.',
  params: z.object({ id: TaskId }),
  body: ProofBody,
  bodyMaxBytes: BODY_MAX_BYTES,
  async beforeBody({ db, params, worker }) {
    assertMayProve(await findOwnAssignment(db, { taskId: params.id, workerId: worker.id }))
  },
  success: {
    status: 201,
    body: z.object({ proof: OwnProof, task: Brief, assignment: OwnAssignment }),
  },
  errors: [assignmentNotFound, assignmentEnded, noSlot, testQuotaExceeded],

  transaction: 'own',
  async handler({ db, worker, params, body, config, now, warnings, recall, once, address }) {
    const earlier = await recall()
    if (earlier !== undefined) return earlier
    const input = readProofInput(body)
    const own = { taskId: params.id, workerId: worker.id }

    // Processing and storing the files takes seconds, so it happens before the transaction, and everything that can
    // be rejected early is. Whether the task still accepts proof is decided under its lock.
    const found = await findOwnAssignment(db.reader, own).catch((error: unknown) =>
      // Store the error under the idempotency key, like any other response.
      once(async () => {
        throw error
      }),
    )
    if ('isReplay' in found) return found
    if (worker.agentId !== null) {
      // Uploads were counted when they began. Inline files are base64, which uses four characters for three bytes.
      const inline = input.media.filter(({ source }) => !isUpload(source))
      const letters = inline.reduce((sum, { source }) => sum + source.length, 0)
      const use = { agentId: worker.agentId, address: address(), tasks: 0 }
      const bytes = Math.ceil(letters * 0.75)
      if (bytes > 0) await countTestUse({ db }, config, { ...use, bytes, now })
    }
    const prepared = await prepareProof(db, found, { input, config, now })

    return once(async (tx) => {
      const result = await submitTaskProof(tx, { ...own, ...prepared, now })
      return answerWith(201, result, warnings)
    })
  },
})

/** Whether the source is an upload id rather than the file itself. */
const isUpload = (source: string) => source.trim().startsWith('upl_')

interface PrepareProof {
  input: ProofInput
  config: Config
  now: Date
  /** Submitted by a test-mode script, whose files are counted separately. */
  isScripted?: boolean
}

/** Does all work that doesn't need the transaction: checks the input and processes the files. */
export async function prepareProof(
  db: Db,
  found: { task: Task; assignment: Assignment },
  { input, config, now, isScripted = false }: PrepareProof,
) {
  const answer = checkInput(found.task, input)
  const files = await takeFiles(db, config, found, { ...input, isScripted }, now)
  return { input, answer, files }
}

/** Checks that the proof contains what the task requires, and returns the normalized answer. */
function checkInput(task: Task, input: ProofInput): unknown {
  const { text, media, outcome } = input
  if (outcome === 'not_possible') {
    if (text === null && media.length === 0)
      throw invalidField('text', 'or a photo is required: explain why it is not possible')
    return null
  }
  // An invalid answer is rejected. A missing one isn't, because the proof itself may contain the information.
  const read = readAnswer(task.answer_schema, input)
  if ('problem' in read && !read.missing) throw invalidField('answer', read.problem)
  const answer = 'answer' in read ? read.answer : null
  const { proof_required: required } = task
  const isThere =
    required === 'text'
      ? text !== null || answer !== null
      : media.some(({ kind }) => kind === required)
  if (!isThere)
    throw required === 'photo'
      ? invalidField('photos', 'are required for this task')
      : invalidField(required, 'is required for this task')
  return answer
}

async function takeFiles(
  db: Db,
  config: Config,
  { task, assignment }: { task: Task; assignment: Assignment },
  { media, location, isScripted }: ProofInput & { isScripted: boolean },
  now: Date,
): Promise<PreparedFile[]> {
  const files = filesOf(config)
  const of = {
    taskId: task.id,
    assignmentId: assignment.id,
    workerId: assignment.worker_id,
    location: location ?? undefined,
    isTest: task.mode === 'test',
    shards: db.shards,
    now,
  }
  const taken: PreparedFile[] = []
  for (const { path, kind, source } of media) {
    try {
      taken.push(
        isUpload(source)
          ? await takeUpload(files, db.reader, { ...of, fileId: source.trim(), kind })
          : await takeInline(files, db.reader, { ...of, dataUrl: source, kind, isScripted }),
      )
    } catch (error) {
      if (error instanceof FileRefused) throw invalidField(path, error.message)
      throw error
    }
  }
  return taken
}

interface SubmitTaskProof {
  taskId: string
  workerId: string
  input: ProofInput
  answer: unknown
  files: PreparedFile[]
  /** The worker left because the place wasn't safe. */
  isUnsafe?: boolean
  now: Date
}

export async function submitTaskProof(
  tx: Tx,
  { taskId, workerId, input, answer, files, isUnsafe = false, now }: SubmitTaskProof,
) {
  const work = await lockOwnAssignment(tx, { taskId, workerId })
  const { task, assignment } = work
  assertMayProve(work)

  const proof = await tx
    .insertInto('proofs')
    .values({
      id: mintId('proof', now, shardOf(taskId)),
      assignment_id: assignment.id,
      task_id: taskId,
      agent_id: task.agent_id,
      worker_id: workerId,
      text: input.text,
      answer: answer === null ? null : JSON.stringify(answer),
      outcome: input.outcome,
      location: input.location && JSON.stringify(input.location),
      captured_at: input.capturedAt,
      checks: JSON.stringify(checkProof(work, { input, answer, files, isUnsafe, now })),
      submitted_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await attachFiles(tx, { proofId: proof.id, files, now })

  const submitted: Assignment = {
    ...assignment,
    status: 'submitted',
    outcome: input.outcome,
    reason: isUnsafe ? UNSAFE : null,
    submitted_at: now,
    ended_at: null,
  }
  const news = viewProofNews(proof, files)
  const move = await decideSubmission(tx, work, submitted, { news, now })
  const [after] = await moveTasks(tx, [move], { now })
  return {
    proof: viewOwnProof(proof, files),
    task: viewBrief(after!, submitted),
    assignment: viewOwnAssignment(submitted, after!),
  }
}

async function decideSubmission(
  tx: Tx,
  { task, assignments, assignment }: Work & { assignment: Assignment },
  submitted: Assignment,
  { news, now }: { news: z.output<typeof ProofNews>; now: Date },
): Promise<Move> {
  const wasLost = assignment.status === 'expired'
  const received = task.proofs_received + 1
  const counted = {
    status: 'in_progress' as const,
    slots_taken: task.slots_taken + (wasLost ? 1 : 0),
    proofs_received: received,
  }
  const isLast = received === slotsOf(task)
  const standing = assignments.filter(({ status }) => status === 'submitted')
  const reason = submitted.reason === UNSAFE && !isConsensus(task) ? UNSAFE_PLACE : null
  const review = isLast
    ? await awaitVerdict(tx, task, [...standing, submitted], { now, reason })
    : null
  const consensus = review?.consensus ?? null
  const grows =
    consensus !== null &&
    wantsMore({
      min_confidence: task.min_confidence,
      consensus_max: task.consensus_max,
      received,
      confidence: consensus.confidence,
      conflict: consensus.conflict,
    })
  const isComplete = isLast && !grows
  const becomes: Move['becomes'] = isComplete
    ? { ...counted, ...review }
    : { ...counted, slots_extra: task.slots_extra + (grows ? 1 : 0) }

  const after = afterMove({ task, becomes }, now)
  const data = { task: viewTask(after), assignment: viewAssignment(submitted), proof: news }
  const progress = {
    ...(isComplete ? viewAgreement(consensus).consensus : {}),
    received,
    needed: slotsOf(after),
    complete: isComplete,
  }
  return {
    task,
    becomes,
    assignments: [submitted],
    trust: wasLost ? [forgiveDelay(assignment)] : [],
    events: [
      { type: 'task.proof_submitted', data },
      ...(isConsensus(task)
        ? [{ type: 'task.consensus_proof' as const, data: { ...data, consensus: progress } }]
        : []),
      ...(grows ? [{ type: 'task.reopened' as const, data: {} }] : []),
    ],
  }
}

/** Reverts the trust penalty of the timeout, because the proof arrived after all. */
function forgiveDelay(slot: Assignment) {
  const held = touchTrust('abandoned', slot, slot.ended_at!)
  return { ...held, ...takeBack(held), key: `${slot.id}:late_proof`, cause: 'late_proof' }
}
