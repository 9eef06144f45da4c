/**
 * Show how much of an upload has arrived, so a broken upload can resume from there.
 *
 *   called by   the worker who began the upload
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { uploadNotFound } from './errors.ts'
import { filesOf } from './files.ts'
import { incomingKey } from './store.ts'
import { FileId, findUpload, TUS } from './uploads.ts'

export const uploadOffset = endpoint({
  method: 'HEAD',
  path: '/worker/uploads/:id',
  name: 'getUploadOffset',
  auth: 'worker',
  at: 'object',
  access: { object: 'own' },
  summary: 'Show how much of an upload has arrived',
  description: 'In the headers Upload-Offset and Upload-Length, as in tus 1.0.',
  params: z.object({ id: FileId }),
  success: { status: 200, body: z.object({}) },
  errors: [uploadNotFound],

  transaction: 'own',
  async handler({ db, worker, params, now, config }) {
    const upload = await findUpload(db.reader, { fileId: params.id, workerId: worker.id, now })
    const { incoming } = filesOf(config).store
    if (incoming.by !== 'server') throw uploadNotFound()
    const offset = await incoming.offset(incomingKey(upload.id))
    const headers = {
      'upload-offset': String(offset),
      'upload-length': String(upload.bytes),
      ...TUS,
    }
    return { status: 200, body: '', headers, isReplay: false }
  },
})
