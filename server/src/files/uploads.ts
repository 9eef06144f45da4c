import type { Reader, Tx } from '../kit/db.ts'
import { idOf, idPattern, mintId, shardOf } from '../kit/ids.ts'
import { publicUrl } from '../kit/public-url.ts'
import { tooManyFiles, uploadNotFound } from './errors.ts'
import type { Files } from './files.ts'
import { countOfDay } from './count-of-day.ts'
import { unusedUntil } from './intake.ts'
import type { Kind } from './sniff.ts'
import { incomingKey } from './store.ts'

export const UPLOAD_TYPE = 'application/offset+octet-stream'
export const TUS = { 'tus-resumable': '1.0.0' }
const FORM_MS = 3_600_000
const UPLOAD_ID = idPattern('upl')
export const FileId = idOf('upl', 'a file')

export interface NewUpload {
  taskId: string
  assignmentId: string
  workerId: string
  kind: Kind
  contentType: string
  bytes: number
  sha256: string
  /** How many files the worker has sent for tasks of other shards in the last 24 hours. */
  sentElsewhere: number
  now: Date
}

/** Where and how to send the bytes. */
export interface UploadWay {
  upload_id: string
  method: 'PATCH' | 'POST'
  url: string
  headers: Record<string, string>
  fields?: Record<string, string>
  expires_at: string
}

/** Registers an upload. The caller must lock the assignment, or concurrent calls could exceed the file limit. */
export async function openUpload(tx: Tx, files: Files, upload: NewUpload): Promise<UploadWay> {
  const { taskId, assignmentId, workerId, kind, contentType, bytes, sha256, now } = upload
  await assertRoom(tx, files, upload)
  const id = mintId('upl', now, shardOf(taskId))
  const expiresAt = unusedUntil(files, now)
  await tx
    .insertInto('files')
    .values({
      id,
      worker_id: workerId,
      task_id: taskId,
      assignment_id: assignmentId,
      kind,
      status: 'begun',
      content_type: contentType,
      bytes,
      sha256,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute()

  const { incoming } = files.store
  if (incoming.by === 'server')
    return {
      upload_id: id,
      method: 'PATCH',
      url: `${publicUrl(files.config)}/api/v1/worker/uploads/${id}`,
      headers: { ...TUS, 'content-type': UPLOAD_TYPE, 'upload-offset': '0' },
      expires_at: expiresAt.toISOString(),
    }
  const until = new Date(Math.min(now.getTime() + FORM_MS, expiresAt.getTime()))
  const form = await incoming.presignedForm(incomingKey(id), {
    contentType,
    bytes,
    sha256,
    now,
    expiresAt: until,
  })
  return { upload_id: id, method: 'POST', headers: {}, ...form, expires_at: until.toISOString() }
}

async function assertRoom(
  tx: Tx,
  { config }: Files,
  { assignmentId, sentElsewhere, ...sent }: NewUpload,
): Promise<void> {
  const { count } = await tx
    .selectFrom('files')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('assignment_id', '=', assignmentId)
    .executeTakeFirstOrThrow()
  if (count >= config.FILES_PER_ASSIGNMENT)
    throw tooManyFiles({ limit: config.FILES_PER_ASSIGNMENT, per: 'task' })
  if ((await countOfDay(tx, sent)) + sentElsewhere >= config.FILES_PER_WORKER_DAY)
    throw tooManyFiles({ limit: config.FILES_PER_WORKER_DAY, per: 'day' })
}

/** Finds an upload of this worker that still accepts bytes. */
export async function findUpload(
  db: Reader,
  { fileId, workerId, now }: { fileId: string; workerId: string; now: Date },
): Promise<{ id: string; bytes: number }> {
  const row = UPLOAD_ID.test(fileId)
    ? await db
        .selectFrom('files')
        .select(['id', 'bytes'])
        .where('id', '=', fileId)
        .where('worker_id', '=', workerId)
        .where('status', 'in', ['begun', 'received'])
        .where('expires_at', '>', now)
        .executeTakeFirst()
    : undefined
  if (row === undefined) throw uploadNotFound()
  return row
}
