import assert from 'node:assert/strict'
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Json, TestWorker } from './harness.ts'

export interface Pushed {
  path: string
  headers: IncomingHttpHeaders
  bytes: Buffer
}

interface Scope {
  after(end: () => Promise<unknown>): void
}

/**
 * A push service on loopback, like those of browser vendors: records what it receives, and responds with 201 or as
 * configured.
 */
export async function openPushService(scope: Scope) {
  const received: Pushed[] = []
  const answers = new Map<string, (response: ServerResponse) => void>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    void buffer(request).then((bytes) => {
      received.push({ path, headers: request.headers, bytes })
      const answer = answers.get(path)
      if (answer === undefined) response.writeHead(201).end()
      else answer(response)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  scope.after(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    received,

    /** A browser's subscription; only it can decrypt what is pushed to it. */
    device() {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const auth = randomBytes(16)
      const path = `/push/${randomBytes(8).toString('hex')}`
      const mine = () => received.filter((pushed) => pushed.path === path)
      return {
        endpoint: origin + path,
        keys: { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') },
        received: mine,
        read: (): Json[] =>
          mine().map(({ bytes }) => JSON.parse(open(bytes, { keys, auth })) as Json),
        answerWith(status: number, headers: Record<string, string> = {}) {
          answers.set(path, (response) => void response.writeHead(status, headers).end())
        },
      }
    },
  }
}

export type PushService = Awaited<ReturnType<typeof openPushService>>
export type Device = ReturnType<PushService['device']>

/** Creates a subscription as the browser does, and registers the device for the worker. */
export async function addDevice(service: PushService, worker: TestWorker, label?: string) {
  const device = service.device()
  const { endpoint, keys } = device
  const { status, body, text } = await worker.post('/worker/push', { endpoint, keys, label })
  assert.equal(status, 201, text)
  return { ...device, id: body.subscription.id as string }
}

/** Decrypts as the receiver does, per RFC 8291 and RFC 8188. */
function open(
  bytes: Buffer,
  { keys, auth }: { keys: ReturnType<typeof createECDH>; auth: Buffer },
): string {
  const salt = bytes.subarray(0, 16)
  const keyLength = bytes[20]!
  const sender = bytes.subarray(21, 21 + keyLength)
  const sealed = bytes.subarray(21 + keyLength)
  const derive = (key: Buffer, from: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', key, from, info, length))

  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const secret = derive(keys.computeSecret(sender), auth, info, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(sealed.subarray(-16))
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  assert(end >= 0, 'the last record ends with its delimiter')
  return padded.subarray(0, end).toString()
}

/** Verifies the signature of a VAPID header (RFC 8292) with the key in it, and returns the claims and the key. */
export function readVapid(header: string | undefined): { claims: Json; key: string } {
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header ?? '') ?? []
  const [head = '', body = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  assert(isSigned, 'the token is signed by the key')
  return { claims: JSON.parse(Buffer.from(body, 'base64url').toString()) as Json, key }
}
