/** Replaces files.ts where there is no file system; see `imports` in package.json. */
import type { SaveProofs } from './tasks.ts'

export const saveProofs: SaveProofs = () =>
  Promise.reject(
    new Error(
      'This runtime has no file system; use tasks.download(proof.media[0].url), or run this in Node',
    ),
  )
