/** Stores drafts, by worker and task. */
import { keptDb } from '../offline-db.ts'
import { type Draft, draftKey, emptyDraft } from './draft.ts'

export async function readDraft(workerId: string, taskId: string): Promise<Draft> {
  const empty = emptyDraft(workerId, taskId)
  return (await (await keptDb()).get('drafts', draftKey(empty))) ?? empty
}

export async function keepDraft(draft: Draft): Promise<void> {
  await (await keptDb()).put('drafts', draft, draftKey(draft))
}

/** Store the bytes before the draft: a draft must never refer to missing files. */
export async function keepMedia(id: string, bytes: ArrayBuffer): Promise<void> {
  await (await keptDb()).put('media', bytes, id)
}

export async function dropMedia(id: string): Promise<void> {
  await (await keptDb()).delete('media', id)
}

export async function dropDraft(draft: Draft): Promise<void> {
  const tx = (await keptDb()).transaction(['drafts', 'media'], 'readwrite')
  await Promise.all([
    tx.objectStore('drafts').delete(draftKey(draft)),
    ...draft.files.map(({ id }) => tx.objectStore('media').delete(id)),
    tx.done,
  ])
}
