import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const uploadNotFound = defineError(
  404,
  'upload_not_found',
  'There is no such upload; begin a new one',
)
export const tooManyFiles = defineError(
  409,
  'too_many_files',
  'No more files can be uploaded for this task, or on this day',
  { limit: z.int(), per: z.enum(['task', 'day']) },
)
export const wrongOffset = defineError(
  409,
  'wrong_offset',
  'Go on from where the upload is: see upload_offset',
  { upload_offset: z.int() },
)
export const uploadBusy = defineError(
  409,
  'upload_busy',
  'Another request is sending this file; try again in a moment',
  { retry_after_seconds: z.int() },
)
export const uploadTooLong = defineError(
  413,
  'upload_too_long',
  'More was sent than was announced; what is beyond was not kept',
  { limit_bytes: z.int() },
)
export const wrongUploadType = defineError(
  415,
  'wrong_upload_type',
  'Send bytes with the header content-type: application/offset+octet-stream',
)
export const invalidLink = defineError(
  403,
  'invalid_link',
  'This link has expired or was changed; ask for the proof again to get a new one',
)
export const fileNotFound = defineError(404, 'file_not_found', 'There is no such file')
export const rangeNotSatisfiable = defineError(
  416,
  'range_not_satisfiable',
  'The file does not reach that far',
  { bytes: z.int() },
)
