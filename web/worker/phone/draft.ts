/** A proof that was begun and not sent: photos, recordings, words, answers. */
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
