import { z } from 'zod'
import { invalidField } from '../kit/errors.ts'
import { AnyJson } from '../kit/free-form.ts'
import { named } from '../kit/named.ts'
import { ProofKind } from './fields.ts'
import type { Proof } from './queries.ts'

export const PHOTOS_MAX = 5
const TEXT_MAX = 10_000

/** The maximum body size, which also limits any file inside a body. */
const SOURCE_LENGTH_MAX = 12 * 1024 * 1024
const Source = z.string().max(SOURCE_LENGTH_MAX)
const Media = Source.describe('A data URL, base64, or the `upl_…` id of an upload')

/** Empty strings, empty lists and null all mean "not given", because forms also submit blank fields. */
const ProofFields = named(
  'ProofFields',
  z.object({
    text: z.string().trim().max(TEXT_MAX).nullish(),
    answer: AnyJson.optional().describe('Must match answer_schema'),
    photos: z.union([z.array(Media).max(PHOTOS_MAX), Media]).nullish(),
    photo: z
      .union([Media, z.array(Media).max(PHOTOS_MAX)])
      .nullish()
      .describe('Added to `photos`'),
    video: Media.nullish(),
    audio: Media.nullish(),
    location: z
      .object({
        lat: z.number().min(-90).max(90),
        lng: z.number().min(-180).max(180),
        accuracy_m: z.number().min(0).max(100_000).nullish(),
      })
      .nullish(),
    captured_at: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 time' })
      .max(40)
      .nullish(),
    outcome: z
      .enum(['done', 'not_possible'])
      .nullish()
      .describe('`done` by default; `not_possible`, with evidence, pays half'),
    type: ProofKind.nullish().describe('Short form: the kind of `content`'),
    content: z
      .union([Source, z.array(Media).max(PHOTOS_MAX)])
      .nullish()
      .describe('Short form: text or a file; several files if they are photos'),
  }),
)
type ProofFields = z.output<typeof ProofFields>

/** The request body. The short form has just one kind of proof (`type`) and its `content`. */
export const ProofBody = named(
  'ProofInput',
  ProofFields.extend({
    proof: z
      .union([ProofFields, Source])
      .nullish()
      .describe('The whole proof again, for clients that wrap it; or its content'),
  }),
)

export interface ProofInput {
  text: string | null
  answer: unknown
  media: { path: string; kind: 'photo' | 'video' | 'audio'; source: string }[]
  location: { lat: number; lng: number; accuracy_m?: number | undefined } | null
  capturedAt: Date | null
  outcome: 'done' | 'not_possible'
}

/** Normalizes all accepted forms of the body. */
export function readProofInput({ proof, ...fields }: z.output<typeof ProofBody>): ProofInput {
  if (proof === undefined || proof === null || proof === '') return readFields(fields, '')
  const wrapped: ProofFields = typeof proof === 'string' ? { content: proof } : proof
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return readFields({ ...wrapped, ...Object.fromEntries(given) }, 'proof.')
}

function readFields(fields: ProofFields, at: string): ProofInput {
  const short = readShortForm(fields, at)
  const photos = [
    ...sourcesIn(fields.photos, `${at}photos`),
    ...sourcesIn(fields.photo, `${at}photo`),
    ...(short.kind === 'photo' ? sourcesIn(fields.content, `${at}content`) : []),
  ]
  if (photos.length > PHOTOS_MAX)
    throw invalidField(`${at}photos`, `must have at most ${PHOTOS_MAX} items`)
  const single = (kind: 'video' | 'audio') =>
    [
      ...sourcesIn(fields[kind], at + kind),
      ...(short.kind === kind ? sourcesIn(fields.content, `${at}content`) : []),
    ].map((one) => ({ ...one, kind }))
  const { location } = fields
  return {
    text: fields.text || (short.text ?? null),
    answer: fields.answer,
    media: [
      ...photos.map((photo) => ({ ...photo, kind: 'photo' as const })),
      ...single('video'),
      ...single('audio'),
    ],
    location: location ? { ...location, accuracy_m: location.accuracy_m ?? undefined } : null,
    capturedAt: fields.captured_at ? new Date(fields.captured_at) : null,
    outcome: fields.outcome ?? 'done',
  }
}

/** `type` may repeat what the long form contains. If `content` has no `type`, its kind is detected. */
function readShortForm(fields: ProofFields, at: string): { kind?: Kind; text?: string } {
  const { type, content } = fields
  const isBlank = sourcesIn(content, '').length === 0
  if (isBlank && type && !isInLongForm(fields, type))
    throw invalidField(`${at}content`, 'is required with type')
  if (isBlank) return {}
  const kind = type ?? kindOf(content)
  if (kind !== 'text') return { kind }
  const text = typeof content === 'string' ? content.trim() : undefined
  if (text === undefined || text.length > TEXT_MAX)
    throw invalidField(`${at}content`, `must be text of at most ${TEXT_MAX} characters`)
  return { kind, text }
}

type Kind = z.output<typeof ProofKind>

function isInLongForm(fields: ProofFields, type: Kind): boolean {
  if (type === 'photo') return sourcesIn(fields.photos ?? fields.photo, '').length > 0
  return Boolean(fields[type]) || (type === 'text' && fields.answer !== undefined)
}

function kindOf(content: ProofFields['content']): Kind {
  const first = Array.isArray(content) ? content[0] : content
  const main = /^\s*data:\s*(image|video|audio)\//i.exec(first ?? '')?.[1]?.toLowerCase()
  if (main === 'video' || main === 'audio') return main
  return main === 'image' || Array.isArray(content) ? 'photo' : 'text'
}

function sourcesIn(value: string | string[] | null | undefined, path: string) {
  const list = Array.isArray(value)
    ? value.map((source, i) => ({ path: `${path}.${i}`, source }))
    : [{ path, source: value ?? '' }]
  return list.filter(({ source }) => source.trim() !== '')
}

/** A proof as its worker sees it. */
export const OwnProof = named(
  'OwnProof',
  z.object({
    id: z.string(),
    assignment_id: z.string(),
    text: z.string().nullable(),
    answer: z.unknown(),
    outcome: z.enum(['done', 'not_possible']),
    files: z.array(z.object({ id: z.string(), kind: z.string(), bytes: z.int() })),
    submitted_at: z.iso.datetime(),
  }),
)

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
