/**
 * Files that scripted workers send in test mode. There are only a few and they never change, so each is cleaned and
 * stored once, and the rows of all proofs that contain it point to the same stored bytes.
 */
import { hash } from 'node:crypto'
import { rm, stat, writeFile } from 'node:fs/promises'
import { decodeInline } from './data-url.ts'
import { type Files, maxBytes } from './files.ts'
import type { Outcome } from './media-child.ts'
import { sha256Of } from './sha256-of.ts'
import type { Kind } from './sniff.ts'
import { readyKey } from './store.ts'

export interface Sample extends Outcome {
  /** `sha256` is of the original file, `stored_sha256` of the cleaned one. */
  sha256: string
  stored_sha256: string
  bytes: number
  store_key: string
}

const known = new WeakMap<Files, Map<string, Promise<Sample>>>()

export function sampleOf(
  files: Files,
  { dataUrl, kind }: { dataUrl: string; kind: Kind },
): Promise<Sample> {
  const ofFiles = known.get(files) ?? new Map<string, Promise<Sample>>()
  known.set(files, ofFiles)
  const earlier = ofFiles.get(dataUrl)
  if (earlier !== undefined) return earlier
  const sample = storeSample(files, { dataUrl, kind })
  ofFiles.set(dataUrl, sample)
  // The store may have been unavailable; the next call retries.
  sample.catch(() => ofFiles.delete(dataUrl))
  return sample
}

async function storeSample(
  files: Files,
  { dataUrl, kind }: { dataUrl: string; kind: Kind },
): Promise<Sample> {
  const { store, testMedia, config } = files
  const { bytes: sent } = decodeInline(dataUrl, { kind, bytesMax: maxBytes(config, kind) })
  const sha256 = hash('sha256', sent, 'hex')
  // No row has this id, so no cleanup of rows ever removes the stored bytes.
  const id = `upl_${sha256.slice(0, 26)}`
  const source = store.workFile(id)
  const output = store.workFile(id)
  try {
    await writeFile(source, sent)
    const outcome = await testMedia.clean({ file: source, output, kind })
    const { size: bytes } = await stat(output)
    const stored_sha256 = await sha256Of(output)
    const store_key = readyKey(id)
    await store.put(store_key, output, { contentType: outcome.content_type, sha256: stored_sha256 })
    return { ...outcome, sha256, stored_sha256, bytes, store_key }
  } finally {
    await rm(source, { force: true })
    await rm(output, { force: true })
  }
}
