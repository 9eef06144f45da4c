/** Cleans a received file in the media process, and stores the result under the file's own key. */
import { rm, stat } from 'node:fs/promises'
import { translateFailure } from './failures.ts'
import type { Files } from './files.ts'
import type { Outcome } from './media-child.ts'
import { sha256Of } from './sha256-of.ts'
import type { Kind } from './sniff.ts'
import { readyKey } from './store.ts'

export interface Dirty {
  id: string
  kind: Kind
  /** The received bytes, as a local file. */
  source: string
  isTest?: boolean | undefined
}

export type Stored = Outcome & { bytes: number; stored_sha256: string }

/** Throws FileRefused. */
export async function storeClean(
  files: Files,
  { id, kind, source, isTest = false }: Dirty,
): Promise<Stored> {
  const { store, media, testMedia } = files
  const output = store.workFile(id)
  try {
    const cleaning = (isTest ? testMedia : media).clean({ file: source, output, kind })
    const outcome = await onDisk(files, cleaning)
    const { size: bytes } = await onDisk(files, stat(output))
    // Compute the hash here: a malicious file may have compromised the media process.
    const stored_sha256 = await onDisk(files, sha256Of(output))
    await store.put(readyKey(id), output, {
      contentType: outcome.content_type,
      sha256: stored_sha256,
    })
    return { ...outcome, bytes, stored_sha256 }
  } finally {
    await rm(output, { force: true })
  }
}

/** For work on local files: they are next to the store, or in a temporary folder if the store is a bucket. */
export const onDisk = <T>({ store }: Files, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) =>
    translateFailure(error, store.name === 'bucket' ? 'temporary folder' : store.name),
  )
