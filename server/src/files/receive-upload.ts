/**
 * Receive all or part of an upload. Bytes that arrive before the connection breaks are kept.
 *
 *   called by   the worker who began the upload
 *   moves       a file: begun → received, when all of it is there
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Db } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidField, renderError } from '../kit/errors.ts'
import {
  uploadBusy,
  uploadNotFound,
  uploadTooLong,
  wrongOffset,
  wrongUploadType,
} from './errors.ts'
import { filesOf } from './files.ts'
import { incomingKey } from './store.ts'
import { FileId, findUpload, TUS, UPLOAD_TYPE } from './uploads.ts'

export const receiveUpload = endpoint({
  method: 'PATCH',
  path: '/worker/uploads/:id',
  name: 'uploadPart',
  auth: 'worker',
  at: 'object',
  access: { object: 'own' },
  summary: 'Send an upload in parts or as a whole',
  description:
    'Requires the header Upload-Offset, as in tus 1.0. The next part starts at the ' +
    'Upload-Offset of the response. A request may take up to 30 seconds: on a slow connection, ' +
    'send parts of a few hundred kilobytes.',
  params: z.object({ id: FileId }),
  raw: UPLOAD_TYPE,
  success: { status: 204, body: z.object({}) },
  errors: [uploadNotFound, wrongOffset, uploadBusy, uploadTooLong, wrongUploadType],

  transaction: 'own',
  async handler({ db, worker, params, headers, bytes, now, config, requestId }) {
    if (headers['content-type']?.split(';')[0]?.trim() !== UPLOAD_TYPE) throw wrongUploadType()
    const said = String(headers['upload-offset'] ?? '')
    if (!/^\d{1,15}$/.test(said))
      throw invalidField('upload-offset', 'must be a header with a number')
    const offset = Number(said)
    const upload = await findUpload(db.reader, { fileId: params.id, workerId: worker.id, now })
    const { incoming } = filesOf(config).store
    if (incoming.by !== 'server') throw uploadNotFound()
    if (offset + Number(headers['content-length'] ?? 0) > upload.bytes)
      throw uploadTooLong({ limit_bytes: upload.bytes })

    const piece = { offset, bytes, bytesMax: upload.bytes }
    const appended = await incoming.append(incomingKey(upload.id), piece)
    if (appended.outcome === 'busy') throw uploadBusy({ retry_after_seconds: 1 })
    const place = { 'upload-offset': String(appended.offset), ...TUS }
    if (appended.outcome === 'wrong offset') {
      const error = wrongOffset({ upload_offset: appended.offset })
      const body = renderError(error, requestId, config)
      return { status: error.status, body, headers: place, isReplay: false }
    }
    await noteReceived(db, { ...upload, workerId: worker.id }, appended.offset)
    if (appended.outcome === 'cut off') throw uploadTooLong({ limit_bytes: upload.bytes })
    return { status: 204, body: '', headers: place, isReplay: false }
  },
})

function noteReceived(
  db: Db,
  { id, bytes, workerId }: { id: string; bytes: number; workerId: string },
  received: number,
): Promise<unknown> {
  return db.transaction((tx) =>
    tx
      .updateTable('files')
      .set({ received_bytes: received, ...(received === bytes ? { status: 'received' } : {}) })
      .where('id', '=', id)
      .where('worker_id', '=', workerId)
      .where('status', '=', 'begun')
      .execute(),
  )
}
