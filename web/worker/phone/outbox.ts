/**
 * The outbox: a proof is stored with all its bytes until the server has responded with 201, even if the network drops,
 * the tab is closed or the phone is off. A lock allows one sender at a time, in any tab or in the service worker.
 */
import { BASE, Refusal } from '../../shared/api/client.ts'
import { keptDb } from '../offline-db.ts'
import { type Draft, draftKey } from './draft.ts'
import {
  after,
  isDue,
  named,
  newItem,
  nextStep,
  type Happened,
  type OutboxFile,
  type OutboxItem,
  type Step,
  tryAgain,
  type Way,
  wake,
} from './outbox-rules.ts'

const LOCK = 'legwork.outbox'
const NEWS = 'legwork.outbox'
export const SYNC_TAG = 'legwork.outbox'
/** Slightly longer than the server's own request timeout. */
const TIMEOUT_MS = 35_000
const SOON_MS = 1000
/** By then the server's data includes the proof. */
const SENT_STAYS_MS = 24 * 3_600_000

export interface OutboxNews {
  taskId: string
  state: OutboxItem['state'] | 'gone'
}

/** Reports every change, also from other tabs and the service worker. */
export function listenToOutbox(tell: (news: OutboxNews) => void): () => void {
  const channel = new BroadcastChannel(NEWS)
  channel.addEventListener('message', ({ data }) => tell(data as OutboxNews))
  return () => channel.close()
}

/** A separate channel, since a BroadcastChannel doesn't receive its own messages and this tab must hear them, too. */
let own: BroadcastChannel | undefined
function say(news: OutboxNews): void {
  own ??= new BroadcastChannel(NEWS)
  own.postMessage(news)
}

export async function outboxOf(workerId: string): Promise<OutboxItem[]> {
  const items = await (await keptDb()).getAll('outbox')
  return items
    .filter((item) => item.workerId === workerId)
    .sort((one, other) => one.createdAt - other.createdAt)
}

export const mediaOf = async (fileId: string): Promise<ArrayBuffer | undefined> =>
  (await keptDb()).get('media', fileId)

/** Moves a draft to the outbox. Its files are already stored under their ids. */
export async function putInOutbox(draft: Draft, proof: OutboxItem['proof']): Promise<void> {
  const db = await keptDb()
  const files = await Promise.all(
    draft.files.map(async ({ id, kind, content_type }) => {
      const bytes = await mediaOf(id)
      if (bytes === undefined) throw new Error(`the bytes of ${id} are gone`)
      return { id, kind, content_type, bytes: bytes.byteLength, sha256: await sha256(bytes) }
    }),
  )
  const { workerId, taskId } = draft
  const id = crypto.randomUUID()
  const item = newItem({ id, workerId, taskId, proof, files, draft }, Date.now())
  // One transaction for both, so that nothing is sent twice or lost.
  const tx = db.transaction(['outbox', 'drafts'], 'readwrite')
  await Promise.all([
    tx.objectStore('outbox').put(item, item.id),
    tx.objectStore('drafts').delete(draftKey(draft)),
    tx.done,
  ])
  say({ taskId: item.taskId, state: item.state })
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export async function tryItemAgain(item: OutboxItem): Promise<void> {
  await keep(tryAgain(item, crypto.randomUUID()))
}

/** Turns a refused proof back into a draft, so that it can be changed. */
export async function takeBack(item: OutboxItem): Promise<void> {
  const draft = item.draft as Draft
  const tx = (await keptDb()).transaction(['outbox', 'drafts'], 'readwrite')
  await Promise.all([
    tx.objectStore('drafts').put(draft, draftKey(draft)),
    tx.objectStore('outbox').delete(item.id),
    tx.done,
  ])
  say({ taskId: item.taskId, state: 'gone' })
}

export async function removeItem(item: OutboxItem): Promise<void> {
  const db = await keptDb()
  const tx = db.transaction(['outbox', 'media'], 'readwrite')
  await Promise.all([
    tx.objectStore('outbox').delete(item.id),
    ...item.files.map(({ id }) => tx.objectStore('media').delete(id)),
    tx.done,
  ])
  say({ taskId: item.taskId, state: 'gone' })
}

/**
 * Sends everything that is due, and returns when to run again, if ever. A second caller waits for the lock, then finds
 * nothing left to do or retries what failed.
 */
export function sendOutbox({ isWoken = false } = {}): Promise<{ againAt: number | null }> {
  return navigator.locks.request(LOCK, () => sendAll({ isWoken }))
}

async function sendAll({ isWoken }: { isWoken: boolean }): Promise<{ againAt: number | null }> {
  const db = await keptDb()
  const items = await db.getAll('outbox')
  await tidy(items)
  const open = items
    .filter(({ state }) => state === 'waiting' || state === 'needs_login')
    .map((item) => (isWoken ? wake(item) : item))
  if (open.length === 0) return { againAt: null }
  if (isWoken) for (const item of open) await keep(item, { isQuiet: true })

  const workerId = await whoIsHere()
  if (workerId === undefined) return { againAt: await noteLoss(open) }
  for (;;) {
    const now = Date.now()
    const all = await db.getAll('outbox')
    const due = all
      .filter((item) => workerId !== null && isDue(item, { now, workerId }))
      .sort((one, other) => one.createdAt - other.createdAt)[0]
    if (due === undefined) {
      const waiting = all.filter((item) => item.state === 'waiting' && item.workerId === workerId)
      const againAt = Math.min(...waiting.map(({ notBefore }) => notBefore))
      return { againAt: waiting.length > 0 ? againAt : null }
    }
    await move(due)
  }
}

/** The server is unreachable: apply backoff to all due items. */
async function noteLoss(items: OutboxItem[]): Promise<number> {
  const now = Date.now()
  const later = items.map((item) =>
    item.state === 'waiting' && item.notBefore <= now ? after(item, { what: 'lost' }, now) : item,
  )
  for (const item of later) await keep(item)
  return Math.min(...later.map(({ notBefore }) => Math.max(notBefore, now + SOON_MS)))
}

/** Performs one step and stores the result. */
async function move(item: OutboxItem): Promise<void> {
  const step = nextStep(item, { now: Date.now(), isSlow: isSlow() })
  let current = item
  if (step.do === 'prove') {
    current = named(item)
    await keep(current, { isQuiet: true })
  }
  const happened = await take(step, current)
  const next = after(current, happened, Date.now())
  await keep(next)
  if (next.state === 'sent') await dropMedia(next)
}

async function take(step: Step, item: OutboxItem): Promise<Happened> {
  try {
    const response = await request(step, item)
    if (!response.ok) return await readNo(response, step)
    return await readYes(response, step)
  } catch {
    return { what: 'lost' }
  }
}

async function request(step: Step, { taskId }: OutboxItem): Promise<Response> {
  switch (step.do) {
    case 'begin': {
      const { kind, content_type, bytes, sha256: hash } = step.file
      const body = { task_id: taskId, kind, content_type, bytes, sha256: hash }
      return post('/worker/uploads', body, step.key)
    }
    case 'ask':
      return call(`${BASE}/worker/uploads/${step.way.upload_id}`, { method: 'HEAD' })
    case 'send': {
      const bytes = await mediaOf(step.file.id)
      return call(`${BASE}/worker/uploads/${step.way.upload_id}`, {
        method: 'PATCH',
        headers: { ...step.way.headers, 'upload-offset': String(step.from) },
        body: bytes!.slice(step.from, step.to),
      })
    }
    case 'form':
      return sendForm(step.file, step.way)
    case 'prove':
      return post(`/worker/tasks/${taskId}/proof`, step.body, step.key)
    case 'nothing':
      throw new Error('there is nothing to ask for')
  }
}

/** Uploads directly to the object store, without our cookies. */
async function sendForm(file: OutboxFile, way: Way): Promise<Response> {
  const form = new FormData()
  for (const [name, value] of Object.entries(way.fields ?? {})) form.append(name, value)
  form.append('file', new Blob([(await mediaOf(file.id))!], { type: file.content_type }))
  return call(way.url, { method: 'POST', body: form, credentials: 'omit' })
}

const post = (path: string, body: unknown, key: string) =>
  call(`${BASE}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })

const call = (url: string, init: RequestInit) =>
  fetch(url, { credentials: 'same-origin', signal: AbortSignal.timeout(TIMEOUT_MS), ...init })

async function readYes(response: Response, step: Step): Promise<Happened> {
  switch (step.do) {
    case 'begin':
      return { what: 'begun', fileId: step.file.id, way: (await response.json()) as Way }
    case 'ask':
    case 'send': {
      const offset = Number(response.headers.get('upload-offset') ?? Number.NaN)
      // Not our server's response, perhaps a captive portal's.
      if (!Number.isInteger(offset)) return { what: 'lost' }
      return { what: 'arrived', fileId: step.file.id, offset }
    }
    case 'form':
      return { what: 'arrived', fileId: step.file.id, offset: step.file.bytes }
    case 'prove':
      return response.status === 201 ? { what: 'proved' } : { what: 'lost' }
    case 'nothing':
      return { what: 'lost' }
  }
}

async function readNo(response: Response, step: Step): Promise<Happened> {
  const body = (await response.json().catch(() => ({}))) as Record<string, unknown>
  const refusal = new Refusal(response.status, body)
  const { status, code, message, requestId, retryAfterSeconds } = refusal
  const { upload_offset } = refusal.extra
  return {
    what: 'said no',
    step,
    refusal: { status, code, message, ...(requestId === undefined ? {} : { requestId }) },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterS: retryAfterSeconds }),
    ...(typeof upload_offset === 'number' ? { offset: upload_offset } : {}),
  }
}

/** null if not logged in, undefined if the server doesn't respond. A proof is sent only as the worker who made it. */
async function whoIsHere(): Promise<string | null | undefined> {
  try {
    const response = await call(`${BASE}/worker/session`, { method: 'GET' })
    if (!response.ok) return undefined
    const { worker } = (await response.json()) as { worker: { id: string } | null }
    if (worker === null) await askToLogIn()
    return worker?.id ?? null
  } catch {
    return undefined
  }
}

async function askToLogIn(): Promise<void> {
  for (const item of await (await keptDb()).getAll('outbox'))
    if (item.state === 'waiting') await keep({ ...item, state: 'needs_login' })
}

async function keep(item: OutboxItem, { isQuiet = false } = {}): Promise<void> {
  await (await keptDb()).put('outbox', item, item.id)
  if (!isQuiet) say({ taskId: item.taskId, state: item.state })
}

async function dropMedia({ files }: OutboxItem): Promise<void> {
  const db = await keptDb()
  for (const { id } of files) await db.delete('media', id)
}

async function tidy(items: OutboxItem[]): Promise<void> {
  for (const item of items)
    if (item.sentAt !== null && Date.now() - item.sentAt > SENT_STAYS_MS) await removeItem(item)
}

function isSlow(): boolean {
  const { connection } = navigator as { connection?: { effectiveType?: string } }
  return /2g|3g/.test(connection?.effectiveType ?? '')
}
