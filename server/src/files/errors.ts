import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const uploadNotFound = defineError(
  404,
  'upload_not_found',
  'This upload does not exist; start a new one',
  {},
  {
    who: 'worker',
    cause: 'The upload belongs to another worker, has expired, or never existed.',
    fix: 'Start a new one with `POST /worker/uploads`.',
  },
)
export const tooManyFiles = defineError(
  409,
  'too_many_files',
  'You have reached the upload limit for this task or for today',
  { limit: z.int(), per: z.enum(['task', 'day']) },
  {
    who: 'worker',
    cause:
      'A worker can start ten uploads per task and 200 per day. `per` says which limit was reached.',
    fix: 'Use the uploads that you have already started, or wait until tomorrow.',
  },
)
export const wrongOffset = defineError(
  409,
  'wrong_offset',
  'Continue the upload at upload_offset',
  { upload_offset: z.int() },
  {
    who: 'worker',
    cause: 'The part that was sent does not start at the current end of the upload.',
    fix: 'Continue at `upload_offset`.',
  },
)
export const uploadBusy = defineError(
  409,
  'upload_busy',
  'Another request is sending this file; try again in a moment',
  { retry_after_seconds: z.int() },
  {
    who: 'worker',
    cause: 'Another request is sending this file at the same time.',
    fix: 'Wait for `retry_after_seconds`, get the current offset with `HEAD`, and continue from there.',
  },
)
export const uploadTooLong = defineError(
  413,
  'upload_too_long',
  'More bytes were sent than declared; the excess was discarded',
  { limit_bytes: z.int() },
  {
    who: 'worker',
    cause: 'More bytes arrived than were declared when the upload was started.',
    fix: 'Start another upload with the right size.',
  },
)
export const wrongUploadType = defineError(
  415,
  'wrong_upload_type',
  'Send bytes with the header content-type: application/offset+octet-stream',
  {},
  {
    who: 'worker',
    cause: 'The bytes of an upload were sent with another content type.',
    fix: 'Send `content-type: application/offset+octet-stream`.',
  },
)
export const invalidLink = defineError(
  403,
  'invalid_link',
  'This link has expired or was changed; request the proof again to get a new one',
  {},
  {
    who: 'anyone',
    cause: 'A link to a file is valid for a few minutes. This one has expired or was changed.',
    fix: 'Request the proof again to get a fresh link.',
  },
)
export const fileNotFound = defineError(
  404,
  'file_not_found',
  'This file does not exist',
  {},
  {
    who: 'anyone',
    cause: 'The file is gone: it was not used in a proof in time, or it was removed.',
    fix: 'Request the proof again; files that no longer exist are not listed.',
  },
)
export const rangeNotSatisfiable = defineError(
  416,
  'range_not_satisfiable',
  'The requested range is beyond the end of the file',
  { bytes: z.int() },
  {
    who: 'anyone',
    cause: 'The Range header requests bytes beyond the end of the file.',
    fix: '`bytes` is the size of the file.',
  },
)
