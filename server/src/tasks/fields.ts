import { z } from 'zod'
import { AskedTaskType, TASK_TYPES, TaskType } from '../agents/fields.ts'
import { AnswerSchema } from '../consensus/answer-schema.ts'
import { FreeForm } from '../kit/free-form.ts'
import { COMMISSION_PERCENT } from '../kit/money.ts'
import { named } from '../kit/named.ts'
import { WebhookUrl } from '../webhooks/addresses.ts'
import { LanguageTag, Skill } from '../workers/abilities.ts'
import { Urgency } from './deadline.ts'

export { AskedTaskType, TaskType }
export const TYPES = TASK_TYPES
export const ProofKind = named('ProofKind', z.enum(['text', 'photo', 'video', 'audio']))

/**
 * The maximum body size of a request that creates a task. A client may encode each character of the description as two
 * 6-byte escapes (5,000 × 12) and each byte of context and metadata as one (2 × 16,384 × 6). The rest leaves room for
 * criteria, an answer schema and addresses.
 */
export const TASK_BODY_MAX_BYTES = 524_288

const TEXT_LENGTH_MAX = 5000
const TEXT_TOO_LONG = `must have at most ${TEXT_LENGTH_MAX} characters`

/** Counts code points: an emoji counts once, though it takes two UTF-16 code units. */
export const Description = z
  .string()
  .trim()
  .min(1)
  .max(2 * TEXT_LENGTH_MAX, { error: TEXT_TOO_LONG, abort: true })
  .refine(
    (text) => text.length <= TEXT_LENGTH_MAX || Array.from(text).length <= TEXT_LENGTH_MAX,
    TEXT_TOO_LONG,
  )

export const Place = named(
  'Location',
  z.union(
    [
      z.string().trim().min(1).max(500),
      z.object({
        address: z.string().trim().min(1).max(500).optional(),
        lat: z.number().min(-90).max(90),
        lng: z.number().min(-180).max(180),
        radius_m: z.int().min(1).max(100_000).optional(),
      }),
    ],
    { error: 'must be a string, or an object with lat and lng' },
  ),
)

const Criteria = z
  .array(z.object({ id: z.string().min(1).max(50), text: z.string().trim().min(1).max(500) }))
  .max(20)
  .refine(
    (list) => new Set(list.map(({ id }) => id)).size === list.length,
    'must have different ids',
  )

export const BudgetCents = z
  .int()
  .min(1)
  .max(100_000_000)
  .describe(`What the task pays, in cents; the workers get it minus ${COMMISSION_PERCENT}`)

/** All fields for creating a task except its budget and its content. */
export const TaskOptions = named(
  'TaskOptions',
  z.object({
    urgency: Urgency.optional(),
    proof_required: ProofKind.optional(),
    deadline: z
      .string()
      .max(40)
      .optional()
      .describe('An ISO 8601 time, or a duration from now: 30m, 2h, 3d'),
    context: FreeForm.optional().describe(
      'Free-form; a `location` in it is used as the task’s location',
    ),
    consensus_count: z
      .int()
      .min(1)
      .max(25)
      .optional()
      .describe('Number of workers who must answer; default 1'),
    consensus_max: z
      .int()
      .min(1)
      .max(25)
      .optional()
      .describe('Ask up to this many workers until min_confidence is reached'),
    min_confidence: z.number().min(0.5).max(0.999).optional(),
    callback_url: WebhookUrl.optional().describe(
      'Receives this task’s events instead of webhook_url',
    ),
    title: z.string().trim().min(1).max(120).optional(),
    skills: z
      .array(Skill)
      .max(20)
      .optional()
      .describe('Only workers whose profile lists all of them see the task and can accept it'),
    languages: z
      .array(LanguageTag)
      .max(10)
      .optional()
      .describe('Language tags such as en or pt-br; only workers who speak all of them can accept'),
    location: Place.optional(),
    answer_schema: AnswerSchema.optional(),
    criteria: Criteria.optional().describe('The criteria for judging the proof; fixed at creation'),
    min_worker_level: z.int().min(1).max(5).optional(),
    auto_approve_after: z
      .union([z.int().min(60), z.string().regex(/^\d{1,7}[mhd]$/)], {
        error: 'must be a number of seconds (at least 60), or a duration such as 30m or 12h',
      })
      .optional()
      .describe(
        'Approve automatically this long after the last proof; can only be shorter than the default',
      ),
    budget_basis: z
      .enum(['total', 'per_worker'])
      .optional()
      .describe('`per_worker` locks budget_cents for each of consensus_count workers'),
    scheduled_at: z.string().max(40).optional().describe('An ISO 8601 time'),
    window_minutes: z.int().min(1).max(10_080).optional(),
    metadata: FreeForm.optional(),
  }),
)

export const TaskInput = named(
  'TaskInput',
  z.object({
    budget_cents: BudgetCents,
    ...TaskOptions.shape,
    description: Description.describe('What the human should do'),
    type: AskedTaskType.optional(),
  }),
)
export type TaskInput = z.output<typeof TaskInput>
