import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const uploadNotFound = defineError(
  404,
  'upload_not_found',
  'There is no such upload; begin a new one',
  {},
  {
    who: 'worker',
    cause: 'The upload is another worker’s, has expired, or never was.',
    fix: 'Begin a new one with `POST /worker/uploads`.',
  },
)
export const tooManyFiles = defineError(
  409,
  'too_many_files',
  'No more files can be uploaded for this task, or on this day',
  { limit: z.int(), per: z.enum(['task', 'day']) },
  {
    who: 'worker',
    cause:
      'A worker may begin ten uploads for a task and 200 in a day. `per` says which bound it was.',
    fix: 'Use the uploads that you have begun, or wait until tomorrow.',
  },
)
export const wrongOffset = defineError(
  409,
  'wrong_offset',
  'Go on from where the upload is: see upload_offset',
  { upload_offset: z.int() },
  {
    who: 'worker',
    cause: 'The part that was sent does not begin where the upload ends so far.',
    fix: 'Go on from `upload_offset`.',
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
    fix: 'Wait for `retry_after_seconds`, ask where the upload is with `HEAD`, and go on from there.',
  },
)
export const uploadTooLong = defineError(
  413,
  'upload_too_long',
  'More was sent than was announced; what is beyond was not kept',
  { limit_bytes: z.int() },
  {
    who: 'worker',
    cause: 'More bytes came than were announced when the upload was begun.',
    fix: 'Begin another upload with the right size.',
  },
)
export const wrongUploadType = defineError(
  415,
  'wrong_upload_type',
  'Send bytes with the header content-type: application/offset+octet-stream',
  {},
  {
    who: 'worker',
    cause: 'The bytes of an upload were sent under another content type.',
    fix: 'Send `content-type: application/offset+octet-stream`.',
  },
)
export const invalidLink = defineError(
  403,
  'invalid_link',
  'This link has expired or was changed; ask for the proof again to get a new one',
  {},
  {
    who: 'anyone',
    cause: 'A link to a file is valid for a few minutes. This one has expired or was changed.',
    fix: 'Ask for the proof again: it has a fresh link.',
  },
)
export const fileNotFound = defineError(
  404,
  'file_not_found',
  'There is no such file',
  {},
  {
    who: 'anyone',
    cause: 'The file is gone: no proof has taken it in time, or it was removed.',
    fix: 'Ask for the proof again; what is not there any more is not listed.',
  },
)
export const rangeNotSatisfiable = defineError(
  416,
  'range_not_satisfiable',
  'The file does not reach that far',
  { bytes: z.int() },
  {
    who: 'anyone',
    cause: 'The header Range asks for bytes behind the end of the file.',
    fix: '`bytes` is how long it is.',
  },
)
