/** What makes a proof: what is missing, what the camera is for, and what is sent. Pure rules. */
import type { Draft } from '../phone/draft.ts'
import type { MediaKind, Position, ProofBody } from '../phone/outbox-rules.ts'
import { coarse, type Fix } from '../phone/position.ts'
import { problemsOf, questionsOf } from './answer-kind.ts'
import { PHOTOS_MAX, placeOf } from './brief-rules.ts'
import type { Work } from './queries.ts'

type Task = Work['task']

/** What is missing for the proof to be taken. */
export type Missing = 'proof' | 'answer' | 'words' | null

export function missingIn(
  { proof_required: required, answer_schema }: Pick<Task, 'proof_required' | 'answer_schema'>,
  { outcome, files, text, answer }: Pick<Draft, 'outcome' | 'files' | 'text' | 'answer'>,
): Missing {
  const hasWords = text.trim() !== ''
  if (outcome === 'not_possible') return hasWords || files.length > 0 ? null : 'words'
  if (required !== 'text' && !files.some(({ kind }) => kind === required)) return 'proof'
  const questions = questionsOf(answer_schema)
  if (problemsOf(questions, answer).some((problem) => problem !== null)) return 'answer'
  return required === 'text' && questions.length === 0 && !hasWords ? 'words' : null
}

/** What is to be taken next: what the task asks for; of what was found instead of it, a photo. */
export function nextShot(
  { proof_required: required }: Pick<Task, 'proof_required'>,
  { outcome, files }: Pick<Draft, 'outcome' | 'files'>,
): { kind: MediaKind; taken: number; isFull: boolean } {
  const kind = outcome === 'not_possible' || required === 'text' ? 'photo' : required
  const taken = files.filter((file) => file.kind === kind).length
  return { kind, taken, isFull: kind === 'photo' && taken >= PHOTOS_MAX }
}

/** Where it was made, as the agent gets to know it: only of a task that has a place. */
export function locationOf(
  task: Pick<Task, 'location' | 'area'>,
  { files }: Pick<Draft, 'files'>,
  here: Fix | null,
): Position | null {
  if ((placeOf(task)?.point ?? null) === null) return null
  const fix = files.find((file) => file.fix !== null)?.fix ?? here
  return fix === null ? null : coarse(fix)
}

export function proofOf(
  { files, text, answer, outcome }: Pick<Draft, 'files' | 'text' | 'answer' | 'outcome'>,
  location: Position | null,
  now: number,
): ProofBody {
  const words = text.trim()
  return {
    outcome,
    captured_at: new Date(Math.min(now, ...files.map(({ at }) => at))).toISOString(),
    ...(words === '' ? {} : { text: words }),
    ...(outcome === 'done' && answer !== undefined ? { answer } : {}),
    ...(location === null ? {} : { location }),
  }
}

/** What showing that it can’t be done pays, about; the server has the last word. */
export const foundCents = ({ pay_cents }: Pick<Work['assignment'], 'pay_cents'>) =>
  Math.floor(pay_cents / 2)
