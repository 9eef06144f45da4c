/**
 * Shared by the tests of field work: a place, an agent, a worker who has accepted a task, and access to the phone's
 * storage.
 */
import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import { freePort } from '../../../scripts/postgres.ts'
import { type Json, marketplace, type TestWorker } from '../harness.ts'
import { openPhone, type Phone, until } from './phone.ts'

export const MOORWEG = { address: 'Moorweg 12, Wedel', lat: 53.5982, lng: 9.7233 }
const QUIET_MS = 700
const NEAR = { latitude: 53.59815, longitude: 9.7231, accuracy: 8 }

export const BAKERY = {
  type: 'verification',
  title: 'Is the bakery on Moorweg open right now?',
  description:
    'Stand in front of the door and photograph the opening-hours sign so that every line can be read.\n' +
    '- Photograph the sign, straight on\n- Say whether it is open',
  budget_cents: 500,
  urgency: 'urgent',
  location: MOORWEG,
  proof_required: 'photo',
  answer_schema: { type: 'boolean', description: 'Is it open?' },
}

export type Street = Awaited<ReturnType<typeof openStreet>>

/**
 * With `hasWire`, a proxy between the phones and the server can be slowed down and cut, and counts the bytes it
 * carries.
 */
export async function openStreet({ mail = false, hasWire = false } = {}) {
  const port = await freePort()
  const wire = hasWire ? await openWire(port) : undefined
  const home = wire?.origin ?? `http://127.0.0.1:${port}`
  const market = await marketplace({
    clock: 'real',
    mail,
    settings: { PORT: port, PUBLIC_URL: home, MEDIA_PROCESSES: 1 },
  })
  if (wire) after(() => wire.close())
  const agent = await market.agent({ balanceCents: 500_000, freeTasks: false })

  return {
    market,
    agent,
    home,
    /** The network proxy; only if it was requested. */
    get wire() {
      assert(wire, 'this street was opened without `wire`')
      return wire
    },
    /** A worker who has accepted such a task, with their own phone. */
    async worker(
      fields: Record<string, unknown> = {},
      { permissions = ['camera', 'microphone', 'geolocation'] }: { permissions?: Allowed[] } = {},
    ) {
      const ada = await market.worker({ name: 'Ada', approvals: 30 })
      const taskId = await this.accepted(ada, fields)
      const phone = await openPhone({
        permissions,
        position: NEAR,
        ...(wire ? { forgives: /net::ERR_(?:CONNECTION|EMPTY|SOCKET|TIMED_OUT|NETWORK)/ } : {}),
      })
      await phone.as(ada, home)
      return { ada, taskId, phone, page: phone.page }
    },
    async accepted(
      worker: Pick<TestWorker, 'post'>,
      fields: Record<string, unknown> = {},
    ): Promise<string> {
      const created = await agent.post('/tasks', { ...BAKERY, ...fields })
      assert.equal(created.status, 201, created.text)
      const { id } = created.body.task as { id: string }
      const accepted = await worker.post(`/worker/tasks/${id}/accept`)
      assert.equal(accepted.status, 200, accepted.text)
      return id
    },
    /** The proofs of a task that the server has, and their files. */
    async received(taskId: string): Promise<{ proofs: Json[]; files: Json[] }> {
      const { reader } = market.db
      const of = (table: 'proofs' | 'files') =>
        reader.selectFrom(table).selectAll().where('task_id', '=', taskId).orderBy('id').execute()
      return { proofs: await of('proofs'), files: await of('files') }
    },
  }
}

/**
 * A network proxy: as slow as configured; cutting it also drops everything in transit. It counts the bytes sent to
 * phones, whichever page or service worker requested them.
 */
async function openWire(serverPort: number) {
  const sockets = new Set<Socket>()
  let bytesPerSecond = Number.POSITIVE_INFINITY
  let isCut = false
  let bytes = 0
  let lastAt = 0
  const server = createServer((phone) => {
    if (isCut) return void phone.destroy()
    const upstream = connect(serverPort, '127.0.0.1')
    for (const socket of [phone, upstream]) {
      sockets.add(socket)
      socket.on('close', () => {
        sockets.delete(socket)
        phone.destroy()
        upstream.destroy()
      })
      socket.on('error', () => socket.destroy())
    }
    upstream.on('data', (piece: Buffer) => {
      bytes += piece.length
      lastAt = performance.now()
    })
    upstream.pipe(phone)
    phone.on('data', (piece: Buffer) => {
      upstream.write(piece)
      if (bytesPerSecond === Number.POSITIVE_INFINITY) return
      phone.pause()
      setTimeout(() => phone.resume(), Math.min(60_000, (piece.length / bytesPerSecond) * 1000))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Waits until nothing has arrived for a while. */
    quiet: () => until(async () => performance.now() - lastAt > QUIET_MS),
    /** Bytes that arrived since the previous call. */
    take(): number {
      const taken = bytes
      bytes = 0
      return taken
    },
    slowTo(rate: number) {
      bytesPerSecond = rate
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
      bytesPerSecond = Number.POSITIVE_INFINITY
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

type Allowed = NonNullable<NonNullable<Parameters<typeof openPhone>[0]>['permissions']>[number]

/** Takes a photo with the fake camera. */
export async function takePhoto({ page }: Phone): Promise<void> {
  await page.getByRole('button', { name: 'Open camera' }).tap()
  await page.getByText('GPS ±').waitFor()
  await shoot(page)
}

export async function shoot(page: Phone['page']): Promise<void> {
  await pictureThere(page)
  await page.getByRole('button', { name: 'Take photo' }).tap()
  await page.getByText('The agent sees').waitFor()
}

/** Waits until the camera shows a picture; the first one may take a while. */
export const pictureThere = (page: Phone['page']) =>
  until(
    () => page.evaluate<boolean>('document.querySelector("video")?.videoWidth > 0'),
    'a picture of the camera',
  )

/** Sends the requested proof, with this answer if the task asks a question. */
export async function sendProof({ page }: Phone, answer?: 'Yes' | 'No'): Promise<void> {
  if (answer) await page.getByText(answer, { exact: true }).tap()
  await page.getByRole('button', { name: 'Send proof' }).tap()
  await page.getByText('Proof sent').waitFor()
}

/** Everything in one store of the phone's database. */
export function kept(page: Phone['page'], store: 'outbox' | 'drafts' | 'media'): Promise<Json[]> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('legwork')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const db = opening.result
      const asking = db.transaction('${store}').objectStore('${store}').getAll()
      asking.onsuccess = () => {
        db.close()
        resolve(asking.result.map((one) => one instanceof ArrayBuffer ? { bytes: one.byteLength } : one))
      }
    }
  })`)
}
