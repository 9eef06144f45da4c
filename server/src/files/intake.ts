/**
 * Takes files into a proof. All expensive or risky work happens before the proof's transaction: the file is checked,
 * cleaned and stored, and its row marked ready. The transaction then only links it to the proof. A file that no proof
 * uses is swept a day later.
 */
import { createHash, hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Selectable, sql } from 'kysely'
import type { Reader, Shards, Tx } from '../kit/db.ts'
import { invalidField } from '../kit/errors.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import type { Schema } from '../kit/schema.ts'
import { type Check, checkPhoto, type Position } from './checks.ts'
import type { Evidence } from './clean-image.ts'
import { countElsewhere, countOfDay, type SentFiles } from './count-of-day.ts'
import { decodeInline } from './data-url.ts'
import { type Files, maxBytes } from './files.ts'
import { findLookalikes } from './photo-history.ts'
import { FileRefused } from './refused.ts'
import { sampleOf } from './samples.ts'
import { assertKind, type Kind } from './sniff.ts'
import { incomingKey, keyOf, readyKey } from './store.ts'
import { type Dirty, onDisk, storeClean, type Stored } from './store-clean.ts'

const HOUR_MS = 3_600_000
/** Daily limit for all scripted workers of a test agent together, because anyone can create test agents. */
const SCRIPTED_FILES_DAY = 5000

export interface PreparedFile {
  id: string
  worker_id: string
  kind: Kind
  content_type: string
  bytes: number
  store_key: string
  /** `sha256` is of the original file, `stored_sha256` of the cleaned one. */
  sha256: string
  stored_sha256: string
  width?: number
  height?: number
  dhash?: string
  evidence: Evidence
  checks: Check[]
}

interface Sender {
  assignmentId: string
  workerId: string
  /** The location reported by the worker's device. */
  location?: Position | undefined
  /** The task is in test mode: its photos and those of live tasks are never compared with each other. */
  isTest?: boolean
  /** The hashes of all photos are in the global schema, and other files of the worker may be on any shard. */
  shards: Shards
  now: Date
}

type FileRow = Selectable<Schema['files']>

/** Takes a file sent inside the proof, as a data URL or base64. Throws FileRefused. */
export async function takeInline(
  files: Files,
  db: Reader,
  input: Sender & { dataUrl: string; kind: Kind; taskId: string; isScripted?: boolean },
): Promise<PreparedFile> {
  const { kind, taskId, assignmentId, workerId, now } = input
  if (input.isScripted) return takeSample(files, db, input)
  const { type, bytes } = decodeInline(input.dataUrl, {
    kind,
    bytesMax: maxBytes(files.config, kind),
  })
  const max = files.config.FILES_PER_WORKER_DAY
  await refuseTooMany(db, { workerId, taskId, max, shards: input.shards, now })

  // Insert the row first, so anything that a crash leaves in the store gets swept.
  const id = mintId('upl', now, shardOf(taskId))
  const sha256 = hash('sha256', bytes, 'hex')
  await db
    .insertInto('files')
    .values({
      id,
      worker_id: workerId,
      task_id: taskId,
      assignment_id: assignmentId,
      kind,
      status: 'received',
      content_type: type,
      bytes: bytes.length,
      received_bytes: bytes.length,
      sha256,
      created_at: now,
      expires_at: unusedUntil(files, now),
    })
    .execute()
  const source = files.store.workFile(id)
  try {
    await onDisk(files, writeFile(source, bytes))
    const row = await keep(files, db, { id, workerId, kind, source, isTest: input.isTest })
    return await prepare(db, row, input)
  } catch (error) {
    // A failed store may have kept the file. In that case the row stays, and the sweep removes both.
    const isGone =
      error instanceof FileRefused ||
      (await files.store.remove(readyKey(id)).then(
        () => true,
        () => false,
      ))
    if (isGone)
      await db.deleteFrom('files').where('id', '=', id).where('worker_id', '=', workerId).execute()
    throw error
  } finally {
    await rm(source, { force: true })
  }
}

/** Takes a file of a scripted worker: inserts a row that points to shared stored bytes. */
async function takeSample(
  files: Files,
  db: Reader,
  input: Sender & { dataUrl: string; kind: Kind; taskId: string },
): Promise<PreparedFile> {
  const { kind, taskId, assignmentId, workerId, now } = input
  const max = SCRIPTED_FILES_DAY
  await refuseTooMany(db, { workerId, taskId, max, shards: input.shards, now })
  const sample = await sampleOf(files, input)
  const row = await db
    .insertInto('files')
    .values({
      id: mintId('upl', now, shardOf(taskId)),
      worker_id: workerId,
      task_id: taskId,
      assignment_id: assignmentId,
      kind,
      status: 'ready',
      content_type: sample.content_type,
      bytes: sample.bytes,
      received_bytes: sample.bytes,
      sha256: sample.sha256,
      stored_sha256: sample.stored_sha256,
      store_key: sample.store_key,
      width: sample.width ?? null,
      height: sample.height ?? null,
      dhash: sample.dhash ?? null,
      evidence: JSON.stringify(sample.evidence),
      created_at: now,
      expires_at: unusedUntil(files, now),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return prepare(db, row, input)
}

/** Takes a file that was uploaded before, by its `upl_` id. Throws FileRefused. */
export async function takeUpload(
  files: Files,
  db: Reader,
  input: Sender & { fileId: string; kind?: Kind | undefined },
): Promise<PreparedFile> {
  const row = await findOwn(db, input)
  if (input.kind !== undefined) assertKind(row.kind, input.kind)
  if (row.status === 'refused') throw new FileRefused(row.refusal ?? 'was rejected')
  if (row.proof_id !== null) throw new FileRefused('was already sent with another proof')
  // Refuse it in its last hour, because it could be swept while we process it.
  if (row.expires_at.getTime() - HOUR_MS <= input.now.getTime())
    throw new FileRefused('has expired: upload it again')
  if (row.status === 'ready') return prepare(db, row, input)

  const source = files.store.workFile(row.id)
  try {
    await onDisk(files, download(files, row, source))
    const kept = await keep(files, db, {
      id: row.id,
      workerId: row.worker_id,
      kind: row.kind,
      source,
      isTest: input.isTest,
    })
    await files.store.remove(incomingKey(row.id))
    return await prepare(db, kept, input)
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    // A concurrent request may have taken the same upload and made it ready.
    const again = await findOwn(db, input)
    if (again.status === 'ready' && again.proof_id === null) return await prepare(db, again, input)
    if (!(error instanceof NotWhole)) await refuse(files, db, row, error.message)
    throw error
  } finally {
    await rm(source, { force: true })
  }
}

/** Links files to the proof, in the proof's transaction. */
export async function attachFiles(
  tx: Tx,
  { proofId, files, now }: { proofId: string; files: PreparedFile[]; now: Date },
): Promise<void> {
  for (const file of files) {
    const { numUpdatedRows } = await tx
      .updateTable('files')
      .set({ proof_id: proofId, checks: JSON.stringify(file.checks) })
      .where('id', '=', file.id)
      .where('worker_id', '=', file.worker_id)
      .where('status', '=', 'ready')
      .where('proof_id', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n)
      throw invalidField(
        file.kind === 'photo' ? 'photos' : file.kind,
        'contains an upload that was already sent with another proof, or twice',
      )
    if (file.kind === 'photo')
      await sql`
        select files_remember_photo(id, worker_id, task_id, sha256, ('x' || dhash)::bit(64)::bigint, ${now})
          from files
         where id = ${file.id} and worker_id = ${file.worker_id}
           and exists (select 1 from tasks t where t.id = files.task_id and t.mode = 'live')`.execute(
        tx,
      )
  }
}

/** The upload is incomplete. Not final: the rest may still arrive. */
class NotWhole extends FileRefused {}

async function findOwn(
  db: Reader,
  {
    fileId,
    assignmentId,
    workerId,
  }: Pick<Sender, 'assignmentId' | 'workerId'> & { fileId: string },
): Promise<FileRow> {
  const row = await db
    .selectFrom('files')
    .selectAll()
    .where('id', '=', fileId)
    .where('worker_id', '=', workerId)
    .where('assignment_id', '=', assignmentId)
    .executeTakeFirst()
  if (row === undefined) throw new FileRefused('must be your own upload for this task')
  return row
}

async function refuseTooMany(
  db: Reader,
  { max, shards, ...sent }: { max: number; shards: Shards } & SentFiles,
): Promise<void> {
  if ((await countOfDay(db, sent)) + (await countElsewhere(shards, sent)) >= max)
    throw new FileRefused(`is one too many: you can send ${max} files a day`)
}

export const unusedUntil = ({ config }: Files, now: Date) =>
  new Date(now.getTime() + config.FILE_KEEP_UNUSED_HOURS * HOUR_MS)

/** Copies an upload to a work file and checks its size and SHA-256 against the announced ones. */
async function download({ store }: Files, row: FileRow, target: string): Promise<void> {
  const size = (await store.size(incomingKey(row.id))) ?? 0
  if (size < row.bytes) throw new NotWhole(`is incomplete: ${size} of ${row.bytes} bytes arrived`)
  const stored = await store.read(incomingKey(row.id))
  if (stored === undefined) throw new NotWhole('has not been uploaded')
  const sum = createHash('sha256')
  let bytes = 0
  await pipeline(
    stored.stream,
    async function* count(source: Readable) {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > row.bytes) throw new FileRefused('is larger than declared')
        sum.update(chunk)
        yield chunk
      }
    },
    createWriteStream(target),
  )
  if (sum.digest('hex') !== row.sha256)
    throw new FileRefused('is not what was declared: the SHA-256 does not match; upload it again')
}

/** Cleans a file, stores the result and marks the row ready. */
async function keep(
  files: Files,
  db: Reader,
  { workerId, ...file }: Dirty & { workerId: string },
): Promise<FileRow> {
  return markReady(db, { id: file.id, workerId }, await storeClean(files, file))
}

function markReady(
  db: Reader,
  { id, workerId }: { id: string; workerId: string },
  { content_type, bytes, stored_sha256, width, height, dhash, evidence }: Stored,
): Promise<FileRow> {
  return db
    .updateTable('files')
    .set({
      status: 'ready',
      content_type,
      bytes,
      stored_sha256,
      store_key: readyKey(id),
      width: width ?? null,
      height: height ?? null,
      dhash: dhash ?? null,
      evidence: JSON.stringify(evidence),
    })
    .where('id', '=', id)
    .where('worker_id', '=', workerId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function refuse(
  { store }: Files,
  db: Reader,
  { id, worker_id }: FileRow,
  refusal: string,
): Promise<void> {
  await db
    .updateTable('files')
    .set({ status: 'refused', refusal })
    .where('id', '=', id)
    .where('worker_id', '=', worker_id)
    .where('status', 'in', ['begun', 'received'])
    .execute()
  await store.remove(incomingKey(id))
}

async function prepare(db: Reader, row: FileRow, sender: Sender): Promise<PreparedFile> {
  const evidence = row.evidence as Evidence
  return {
    id: row.id,
    worker_id: row.worker_id,
    kind: row.kind,
    content_type: row.content_type,
    bytes: row.bytes,
    store_key: keyOf(row),
    sha256: row.sha256,
    stored_sha256: row.stored_sha256!,
    ...(row.width === null ? {} : { width: row.width }),
    ...(row.height === null ? {} : { height: row.height }),
    ...(row.dhash === null ? {} : { dhash: row.dhash }),
    evidence,
    checks: row.kind === 'photo' ? await check(db, row, evidence, sender) : [],
  }
}

async function check(
  db: Reader,
  { sha256, dhash, task_id, worker_id, assignment_id }: FileRow,
  evidence: Evidence,
  { location, isTest = false, shards, now }: Sender,
): Promise<Check[]> {
  const except = { taskId: task_id, workerId: worker_id }
  const [lookalikes, slot] = await Promise.all([
    isTest
      ? []
      : findLookalikes(shards.global.reader, { sha256, dhash: dhash ?? undefined, except }),
    db
      .selectFrom('assignments')
      .innerJoin('tasks', 'tasks.id', 'assignments.task_id')
      .select(['assignments.accepted_at', 'tasks.location'])
      .where('assignments.id', '=', assignment_id)
      .where('assignments.worker_id', '=', worker_id)
      .executeTakeFirst(),
  ])
  return checkPhoto(evidence, {
    dhash: dhash ?? undefined,
    lookalikes,
    accepted_at: slot?.accepted_at ?? now,
    now,
    place: isPlace(slot?.location) ? slot.location : undefined,
    device: location,
  })
}

function isPlace(value: unknown): value is { lat: number; lng: number; radius_m?: number } {
  return typeof value === 'object' && value !== null && 'lat' in value && 'lng' in value
}
