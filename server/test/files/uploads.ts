import { createHash } from 'node:crypto'
import assert from 'node:assert/strict'
import { call, type Json, type Marketplace, type TestWorker } from '../harness.ts'

export interface Sent {
  bytes: Buffer
  kind?: string
  content_type?: string
}

/** Starts an upload as the worker's app does; returns its id. */
export async function beginUpload(
  worker: TestWorker,
  taskId: string,
  { bytes, kind = 'photo', content_type = 'image/jpeg' }: Sent,
): Promise<string> {
  const { status, body, text } = await worker.post('/worker/uploads', {
    task_id: taskId,
    kind,
    content_type,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  assert.equal(status, 201, text)
  return body.upload_id as string
}

/** Sends one chunk of an upload, per the tus protocol. */
export async function sendPiece(
  market: Marketplace,
  worker: TestWorker,
  uploadId: string,
  offset: number | string,
  body: Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Json; offset: string | null; headers: Headers }> {
  const response = await fetch(`${market.server.addresses.api}/worker/uploads/${uploadId}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${worker.token}`,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...headers,
    },
    body: new Uint8Array(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Json),
    offset: response.headers.get('upload-offset'),
    headers: response.headers,
  }
}

export async function upload(
  market: Marketplace,
  worker: TestWorker,
  taskId: string,
  sent: Sent,
): Promise<string> {
  const id = await beginUpload(worker, taskId, sent)
  const { status } = await sendPiece(market, worker, id, 0, sent.bytes)
  assert.equal(status, 204)
  return id
}

export const askOffset = (market: Marketplace, worker: TestWorker, uploadId: string) =>
  call(market.server.addresses.api!, 'HEAD', `/worker/uploads/${uploadId}`, {
    headers: { authorization: `Bearer ${worker.token}` },
  })
