/**
 * State machine of outgoing proofs, as pure rules: the next step, and the state after an event. It has no network,
 * storage or clock, and is shared by the page and the service worker.
 */
import type { Answer } from '../api.ts'

export type MediaKind = 'photo' | 'video' | 'audio'

/** The server's upload instructions for a file. */
export type Way = Answer<'/worker/uploads', 'post'>

/** A file of a proof. Its bytes are stored separately, under its id. */
export interface OutboxFile {
  id: string
  kind: MediaKind
  content_type: string
  bytes: number
  sha256: string
  /** Number of started uploads: each has its own idempotency key. */
  begun: number
  way: Way | null
  /** Number of bytes that the server has. */
  offset: number
  /** False if bytes were in flight when the connection was lost: ask the server for its offset. */
  isSure: boolean
}

export interface Position {
  lat: number
  lng: number
  accuracy_m: number
}

export interface ProofBody {
  text?: string
  answer?: unknown
  outcome: 'done' | 'not_possible'
  location?: Position
  captured_at: string
}

/** A refusal that a retry can't change. */
export interface OutboxRefusal {
  status: number
  code: string
  message: string
  requestId?: string
}

export interface OutboxItem {
  id: string
  /** The proof's idempotency key: repeating it has no second effect. */
  key: string
  workerId: string
  taskId: string
  createdAt: number
  proof: ProofBody
  files: OutboxFile[]
  /** The original draft, to edit it after a refusal. */
  draft: unknown
  /** `sent` items stay until the server's data includes the proof. */
  state: 'waiting' | 'needs_login' | 'refused' | 'sent'
  failures: number
  /** Earliest time of the next attempt. */
  notBefore: number
  /**
   * The proof was submitted at least once: from then on its content must not change, since the idempotency key stays.
   */
  wasNamed: boolean
  refusal: OutboxRefusal | null
  sentAt: number | null
}

export type Step =
  | { do: 'begin'; file: OutboxFile; key: string }
  | { do: 'ask'; file: OutboxFile; way: Way }
  | { do: 'send'; file: OutboxFile; way: Way; from: number; to: number }
  | { do: 'form'; file: OutboxFile; way: Way }
  | { do: 'prove'; body: ProofBody & Record<string, unknown>; key: string }
  | { do: 'nothing' }

export type Happened =
  | { what: 'begun'; fileId: string; way: Way }
  | { what: 'arrived'; fileId: string; offset: number }
  | { what: 'proved' }
  /** No response, or a timeout. */
  | { what: 'lost' }
  | { what: 'said no'; step: Step; refusal: OutboxRefusal; retryAfterS?: number; offset?: number }

const PIECE_BYTES = 256 * 1024
const PIECE_BYTES_SLOW = 64 * 1024
/** The server accepts no upload in its last hour; allow one more for slow networks. */
const UPLOAD_SPARE_MS = 2 * 3_600_000
const FORM_STAYS_MS = 20 * 3_600_000
const WAIT_FIRST_MS = 1000
const WAIT_MAX_MS = 5 * 60_000

export const WARN_BYTES = 40 * 1024 * 1024

export function newItem(
  item: Pick<OutboxItem, 'id' | 'workerId' | 'taskId' | 'proof' | 'draft'> & {
    files: Pick<OutboxFile, 'id' | 'kind' | 'content_type' | 'bytes' | 'sha256'>[]
  },
  now: number,
): OutboxItem {
  return {
    ...item,
    key: item.id,
    createdAt: now,
    files: item.files.map((file) => ({ ...file, begun: 0, way: null, offset: 0, isSure: true })),
    state: 'waiting',
    failures: 0,
    notBefore: 0,
    wasNamed: false,
    refusal: null,
    sentAt: null,
  }
}

export const isDue = (item: OutboxItem, { now, workerId }: { now: number; workerId: string }) =>
  item.workerId === workerId &&
  (item.state === 'needs_login' || (item.state === 'waiting' && item.notBefore <= now))

export function nextStep(
  item: OutboxItem,
  { now, isSlow = false }: { now: number; isSlow?: boolean },
): Step {
  if (item.state !== 'waiting' && item.state !== 'needs_login') return { do: 'nothing' }
  for (const file of item.files) {
    if (isThere(file, item, now)) continue
    const way = file.way !== null && !isOver(file.way, now) ? file.way : null
    if (way === null) return { do: 'begin', file, key: `${file.id}.${file.begun}` }
    if (way.method === 'POST') return { do: 'form', file, way }
    if (!file.isSure) return { do: 'ask', file, way }
    const to = Math.min(file.bytes, file.offset + (isSlow ? PIECE_BYTES_SLOW : PIECE_BYTES))
    return { do: 'send', file, way, from: file.offset, to }
  }
  return { do: 'prove', body: proofOf(item), key: item.key }
}

/**
 * Whether the upload is complete. Files of a submitted proof aren't uploaded again: a retry must send the same proof.
 */
function isThere({ way, offset, bytes }: OutboxFile, { wasNamed }: OutboxItem, now: number) {
  if (way === null || offset < bytes) return false
  // A form's own expiry is short; a file uploaded by it stays for the rest of a day.
  const spare = way.method === 'PATCH' ? UPLOAD_SPARE_MS : -FORM_STAYS_MS
  return wasNamed || Date.parse(way.expires_at) - spare > now
}

const isOver = ({ method, expires_at }: Way, now: number) =>
  Date.parse(expires_at) - (method === 'PATCH' ? UPLOAD_SPARE_MS : 0) <= now

function proofOf({ proof, files }: OutboxItem): ProofBody & Record<string, unknown> {
  const idsOf = (kind: MediaKind) =>
    files.filter((file) => file.kind === kind).map(({ way }) => way?.upload_id)
  const photos = idsOf('photo')
  const [video] = idsOf('video')
  const [audio] = idsOf('audio')
  return {
    ...proof,
    ...(photos.length > 0 ? { photos } : {}),
    ...(video === undefined ? {} : { video }),
    ...(audio === undefined ? {} : { audio }),
  }
}

export function after(item: OutboxItem, happened: Happened, now: number): OutboxItem {
  switch (happened.what) {
    case 'begun':
      return goesOn(
        changeFile(item, happened.fileId, (file) => ({
          ...file,
          begun: file.begun + 1,
          way: happened.way,
          offset: 0,
          isSure: true,
        })),
      )
    case 'arrived':
      return afterArrival(item, happened, now)
    case 'proved':
      return { ...goesOn(item), state: 'sent', sentAt: now }
    case 'lost':
      return waits(unsure(item), now)
    case 'said no':
      return afterNo(item, happened, now)
  }
}

function afterArrival(
  item: OutboxItem,
  { fileId, offset }: { fileId: string; offset: number },
  now: number,
): OutboxItem {
  const before = item.files.find(({ id }) => id === fileId)
  const isStuck = before !== undefined && before.isSure && offset <= before.offset
  const known = changeFile(item, fileId, (file) => ({ ...file, offset, isSure: true }))
  // The server accepted the chunk without progress: back off.
  return isStuck ? waits(unsure(known), now) : goesOn(known)
}

/** Call before submitting a proof, so that every retry sends the same one. */
export const named = (item: OutboxItem): OutboxItem => ({ ...item, wasNamed: true })

function afterNo(
  item: OutboxItem,
  { step, refusal, retryAfterS, offset }: Extract<Happened, { what: 'said no' }>,
  now: number,
): OutboxItem {
  const { status, code } = refusal
  if (status === 401) return { ...item, state: 'needs_login' }
  if (status >= 500 || status === 429 || status === 408 || AGAIN.includes(code))
    return waits(unsure(item), now, retryAfterS)
  if (step.do === 'ask' || step.do === 'send' || step.do === 'form') {
    if (offset !== undefined)
      return afterArrival(unsure(item), { fileId: step.file.id, offset }, now)
    // The upload itself may be broken, so start a new one, up to three uploads per file.
    if (step.file.begun < 3)
      return waits(
        changeFile(item, step.file.id, (file) => ({ ...file, way: null, offset: 0 })),
        now,
      )
  }
  return { ...item, state: 'refused', refusal }
}

const AGAIN = ['idempotency_in_progress', 'upload_busy']

/** Manual retry: starts over as a new attempt with a new idempotency key. */
export function tryAgain(item: OutboxItem, key: string): OutboxItem {
  return {
    ...item,
    key,
    files: item.files.map((file) => ({ ...file, way: null, offset: 0 })),
    state: 'waiting',
    failures: 0,
    notBefore: 0,
    wasNamed: false,
    refusal: null,
  }
}

/** Skips the backoff, since the network is back or someone opened the app. */
export const wake = (item: OutboxItem): OutboxItem =>
  item.state === 'waiting' ? { ...item, notBefore: 0 } : item

const goesOn = (item: OutboxItem): OutboxItem => ({
  ...item,
  state: 'waiting',
  failures: 0,
  notBefore: 0,
})

function waits(item: OutboxItem, now: number, retryAfterS?: number): OutboxItem {
  const byItself = Math.min(WAIT_MAX_MS, WAIT_FIRST_MS * 2 ** item.failures)
  const wait = retryAfterS === undefined ? byItself : retryAfterS * 1000
  return { ...item, state: 'waiting', failures: item.failures + 1, notBefore: now + wait }
}

const unsure = (item: OutboxItem): OutboxItem => ({
  ...item,
  files: item.files.map((file) => ({ ...file, isSure: file.offset === file.bytes })),
})

function changeFile(
  item: OutboxItem,
  fileId: string,
  change: (file: OutboxFile) => OutboxFile,
): OutboxItem {
  return { ...item, files: item.files.map((file) => (file.id === fileId ? change(file) : file)) }
}

/** Whether the item is newer than the server's response; later responses include a sent proof. */
export const isNewer = ({ sentAt }: OutboxItem, answeredAt: number) =>
  sentAt === null || sentAt > answeredAt

/** Bytes sent and in total, for the progress bar. */
export function progressOf({ files, state }: OutboxItem): { sent: number; total: number } {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const sent = files.reduce((sum, { offset, bytes }) => sum + Math.min(offset, bytes), 0)
  return { sent: state === 'sent' ? total : sent, total }
}
