/**
 * A started, unsent proof: photos, recordings, text, answers. A message to the operators has the same form:
 * help/use-message-draft.ts.
 */
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
  /** A photo's quality, as measured on the phone. */
  quality: Quality | null
  /** Where it was taken, if the position is allowed. */
  fix: Fix | null
  durationS: number | null
}

export interface Draft {
  workerId: string
  /** For a message to the operators: `question …`. */
  taskId: string
  files: DraftFile[]
  text: string
  answer: unknown
  outcome: 'done' | 'not_possible'
  /** Positions of the steps that the worker has ticked off. They aren't sent. */
  ticked?: number[]
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
