import { z } from 'zod'
import { invalidField } from '../kit/errors.ts'
import { AnyJson, PROOFS } from './fields.ts'
import type { Proof } from './queries.ts'

export const PHOTOS_MAX = 5
const TEXT_MAX = 10_000

const Text = z.string().trim().min(1).max(TEXT_MAX)
const Media = z.string().min(1).describe('A data URL, or the `upl_…` id of an upload')

/** What a worker sends; the short form names one kind of proof and its content. */
export const ProofBody = z.object({
  text: Text.optional(),
  answer: AnyJson.optional().describe('What answer_schema asks for'),
  photos: z.array(Media).max(PHOTOS_MAX).optional(),
  photo: Media.optional().describe('One more of `photos`'),
  video: Media.optional(),
  audio: Media.optional(),
  location: z
    .object({
      lat: z.number().min(-90).max(90),
      lng: z.number().min(-180).max(180),
      accuracy_m: z.number().min(0).max(100_000).optional(),
    })
    .optional(),
  captured_at: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' }).optional(),
  outcome: z
    .enum(['done', 'not_possible'])
    .default('done')
    .describe('`not_possible`, with evidence, is paid by half'),
  type: z.enum(PROOFS).optional().describe('Short form: what `content` is'),
  content: z.string().min(1).optional().describe('Short form: a text, or a data URL'),
})

export interface ProofInput {
  text: string | null
  answer: unknown
  media: { path: string; kind: 'photo' | 'video' | 'audio'; source: string }[]
  location: { lat: number; lng: number; accuracy_m?: number | undefined } | null
  capturedAt: Date | null
  outcome: 'done' | 'not_possible'
}

/** Both forms as one. */
export function readProofInput(body: z.output<typeof ProofBody>): ProofInput {
  const { type, content, ...long } = body
  if ((type === undefined) !== (content === undefined))
    throw invalidField(type === undefined ? 'type' : 'content', 'is required: the two go together')
  const photos = (long.photos ?? []).map((source, i) => ({ path: `photos.${i}`, source }))
  if (long.photo !== undefined) photos.push({ path: 'photo', source: long.photo })
  if (type === 'photo') photos.push({ path: 'content', source: content! })
  if (photos.length > PHOTOS_MAX)
    throw invalidField('photos', `must have at most ${PHOTOS_MAX} items`)
  const single = (kind: 'video' | 'audio') =>
    [
      { path: kind, source: long[kind] },
      { path: 'content', source: type === kind ? content : undefined },
    ].flatMap(({ path, source }) => (source === undefined ? [] : [{ path, kind, source }]))

  const shortText = type === 'text' ? Text.safeParse(content) : undefined
  if (shortText?.success === false)
    throw invalidField('content', `must be a text of at most ${TEXT_MAX} characters`)
  return {
    text: long.text ?? shortText?.data ?? null,
    answer: long.answer,
    media: [
      ...photos.map((photo) => ({ ...photo, kind: 'photo' as const })),
      ...single('video'),
      ...single('audio'),
    ],
    location: long.location ?? null,
    capturedAt: long.captured_at === undefined ? null : new Date(long.captured_at),
    outcome: long.outcome,
  }
}

/** A proof as its worker sees it. */
export const OwnProof = z.object({
  id: z.string(),
  assignment_id: z.string(),
  text: z.string().nullable(),
  answer: z.unknown(),
  outcome: z.enum(['done', 'not_possible']),
  files: z.array(z.object({ id: z.string(), kind: z.string(), bytes: z.int() })),
  submitted_at: z.iso.datetime(),
})

export function viewOwnProof(
  proof: Proof,
  files: { id: string; kind: string; bytes: number }[],
): z.output<typeof OwnProof> {
  return {
    id: proof.id,
    assignment_id: proof.assignment_id,
    text: proof.text,
    answer: proof.answer,
    outcome: proof.outcome,
    files: files.map(({ id, kind, bytes }) => ({ id, kind, bytes })),
    submitted_at: proof.submitted_at.toISOString(),
  }
}
