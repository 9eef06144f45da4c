/** Failures of the file store, such as a full disk or an unreachable bucket. They are not bugs. */
import { ApiError, unavailable } from '../kit/errors.ts'

/** `temporary folder` is where files are checked before they go to a bucket. */
export type StoreName = 'folder' | 'bucket' | 'temporary folder'
const RETRY_AFTER_SECONDS = 10

/** For the log: names the store that failed, with the original error as the cause. */
export class StoreFailure extends Error {
  readonly store: StoreName

  constructor(store: StoreName, cause: Error) {
    const { code, name } = cause as NodeJS.ErrnoException
    super(`${code ?? name}: ${cause.message}`, { cause })
    this.store = store
  }
}

/** Throws a 503 for errors of a disk or a bucket; rethrows any other error unchanged. */
export function translateFailure(error: unknown, store: StoreName): never {
  if (!(error instanceof Error) || error instanceof ApiError || !isOutside(error)) throw error
  const { status, code } = unavailable
  throw Object.assign(
    new ApiError(
      status,
      code,
      'Files can’t be stored or read at the moment; try again in a moment',
      { retry_after_seconds: RETRY_AFTER_SECONDS },
      'Send the same request again after retry_after_seconds; an upload continues at its Upload-Offset',
    ),
    { cause: new StoreFailure(store, error) },
  )
}

/** System call errors have `errno`, S3 errors have metadata, and a timeout has only its name. */
const isOutside = (error: Error): boolean =>
  typeof (error as NodeJS.ErrnoException).errno === 'number' ||
  '$metadata' in error ||
  '$response' in error ||
  error.name === 'TimeoutError' ||
  /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? '') ||
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE' ||
  error.message === 'aborted'
