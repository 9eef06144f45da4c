/** Where there is no file system, in place of files.ts: package.json says which of the two it is. */
import type { SaveProofs } from './tasks.ts'

export const saveProofs: SaveProofs = () =>
  Promise.reject(
    new Error(
      'There is no file system here to save to; use tasks.download(proof.media[0].url), or run this in Node',
    ),
  )
