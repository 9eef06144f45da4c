/** What was begun and not sent: photos, recordings, words, answers, kept as they are made, by worker and task. */
import { keptDb } from '../kept.ts'
import type { MediaKind } from './outbox-rules.ts'
import type { Fix } from './position.ts'
import type { Quality } from './quality.ts'

export interface DraftFile {
  id: string
  kind: MediaKind
  content_type: string
  bytes: number
  /** When it was taken. */
  at: number
  source: 'camera' | 'file'
  /** Of a photo, as the phone itself sees it. */
  quality: Quality | null
  /** Where it was taken, if the phone may know. */
  fix: Fix | null
  durationS: number | null
}

export interface Draft {
  workerId: string
  taskId: string
  files: DraftFile[]
  text: string
  answer: unknown
  outcome: 'done' | 'not_possible'
}

export const draftKey = ({ workerId, taskId }: Pick<Draft, 'workerId' | 'taskId'>) =>
  `${workerId} ${taskId}`

export const emptyDraft = (workerId: string, taskId: string): Draft => ({
  workerId,
  taskId,
  files: [],
  text: '',
  answer: undefined,
  outcome: 'done',
})

export const isBegun = (draft: Draft) =>
  draft.files.length > 0 ||
  draft.text !== '' ||
  draft.answer !== undefined ||
  draft.outcome !== 'done'

export async function readDraft(workerId: string, taskId: string): Promise<Draft> {
  const empty = emptyDraft(workerId, taskId)
  return (await (await keptDb()).get('drafts', draftKey(empty))) ?? empty
}

export async function keepDraft(draft: Draft): Promise<void> {
  await (await keptDb()).put('drafts', draft, draftKey(draft))
}

/** The bytes first: a draft never names what is not there. */
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
