/** Rules for proofs: what is missing, what the camera should take, and what is sent. Pure rules. */
import type { Draft } from '../phone/draft.ts'
import type { MediaKind, Position, ProofBody } from '../phone/outbox-rules.ts'
import { coarse, type Fix } from '../phone/position.ts'
import { problemsOf, questionsOf } from './answer-kind.ts'
import { PHOTOS_MAX, placeOf } from './brief-rules.ts'
import type { Work } from './queries.ts'

type Task = Work['task']

/** What the proof still lacks. */
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

/** What to take next: what the task asks for, or a photo as evidence if the task isn't possible. */
export function nextShot(
  { proof_required: required }: Pick<Task, 'proof_required'>,
  { outcome, files }: Pick<Draft, 'outcome' | 'files'>,
): { kind: MediaKind; taken: number; isFull: boolean } {
  const kind = outcome === 'not_possible' || required === 'text' ? 'photo' : required
  const taken = files.filter((file) => file.kind === kind).length
  return { kind, taken, isFull: kind === 'photo' && taken >= PHOTOS_MAX }
}

/** The location to share with the agent, only for tasks that have a place. */
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

/** Approximate pay for proving that the task isn't possible; the server decides. */
export const foundCents = ({ pay_cents }: Pick<Work['assignment'], 'pay_cents'>) =>
  Math.floor(pay_cents / 2)
