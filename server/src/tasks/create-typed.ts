/**
 * Create a typed task by its shorthand: a few type-specific fields, and defaults for the rest.
 *
 *   called by   an agent
 *   moves       (none) → pending
 *   money       wallet → escrow; for a free task promotional fund → escrow
 *   event       task.created (internal, not sent to webhooks)
 */
import { z } from 'zod'
import { readScale } from '../consensus/scale.ts'
import { endpoint, type Warning } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { named } from '../kit/named.ts'
import { readPhoneNumber } from '../kit/phone-number.ts'
import { countryOf } from '../places/geocode.ts'
import { CREATE_ERRORS, type CreateTask, createTask } from './create.ts'
import {
  BudgetCents,
  Description,
  Place,
  ProofKind,
  TASK_BODY_MAX_BYTES,
  type TaskInput,
  TaskOptions,
} from './fields.ts'
import { checkCallback } from '../webhooks/addresses.ts'
import { TaskView } from './view.ts'

const Text = Description

/** Default budgets of the shorthands. */
export const USUAL_BUDGET_CENTS = {
  verification: 500,
  voice_proxy: 1000,
  gut_check: 300,
  field_mission: 1500,
  empathy_escalation: 2000,
  vibe_reader: 800,
} as const

/** The fields of every shorthand: those of POST /tasks with an optional budget, plus two short aliases. */
const Shorthand = named(
  'ShorthandOptions',
  z.object({
    budget_cents: BudgetCents.optional(),
    ...TaskOptions.shape,
    description: Text.optional(),
    proof: ProofKind.optional().describe('Same as proof_required'),
    consensus: z.int().min(1).max(25).optional().describe('Same as consensus_count'),
  }),
)
type Shorthand = z.output<typeof Shorthand>

const Scale = z
  .string()
  .max(40)
  .refine((text) => readScale(text) !== undefined, {
    error: 'must be a range such as 1-10 or 0.0-1.0',
    abort: true,
  })
  .refine((text) => {
    const { minimum, maximum } = readScale(text)!
    return minimum < maximum
  }, 'must go from a smaller to a larger number')
const SCALE_SAYS =
  'The answer is a number in this range: an integer, or a decimal if the scale has decimals'

const success = { status: 201 as const, body: z.object({ task: TaskView }) }
const errors = CREATE_ERRORS
const YES_OR_NO = { type: 'boolean' as const }

export const verify = endpoint({
  method: 'POST',
  path: '/verify',
  name: 'createVerification',
  auth: 'agent',
  scope: 'create',
  access: { restricted: 'refused', cap: 'charged' },
  limits: ['create'],
  summary: 'Have a fact checked on the spot (500 cents, photo)',
  body: Shorthand.extend({ question: Text.optional() }),
  bodyMaxBytes: TASK_BODY_MAX_BYTES,
  success,
  errors,
  check: checkCallback,
  transaction: 'own',
  handler: ({ body, ...request }) =>
    createTyped(request, body, {
      type: 'verification',
      proof: 'photo',
      own: { question: body.question, location: body.location },
      says: [body.description, body.question],
      atPlace: 'Go to the place and confirm that it is there.',
      answerSchema: YES_OR_NO,
    }),
})

const Call = Shorthand.extend({
  number: z
    // PHP's JSON_NUMERIC_CHECK and dynamic languages send numeric strings as numbers.
    .union([z.string().max(1000), z.int().min(0)], { error: 'must be a phone number' })
    .optional()
    .describe(
      'Any number that a phone can dial. It is converted to E.164 if possible, using its ' +
        'country code, the country of location, or the US by default; otherwise it is kept as ' +
        'written, with a warning. Emergency numbers are refused',
    ),
  script: Text.optional(),
})

export const call = endpoint({
  method: 'POST',
  path: '/call',
  name: 'createCall',
  auth: 'agent',
  scope: 'create',
  access: { restricted: 'refused', cap: 'charged' },
  limits: ['create'],
  summary: 'Have a phone call made (1000 cents, text)',
  body: Call,
  bodyMaxBytes: TASK_BODY_MAX_BYTES,
  success,
  errors,
  check: checkCallback,
  transaction: 'own',
  handler: async ({ body, ...request }) => {
    const warnings = [...request.warnings]
    // The number is stored in the context because only the worker who holds the task sees that.
    const number = readNumber(body, warnings)
    return createTyped({ ...request, warnings }, body, {
      type: 'voice_proxy',
      proof: 'text',
      own: { number: undefined, ...number, script: body.script },
      says: [body.description, body.script && `Say: ${body.script}`],
    })
  },
})

export const gutCheck = endpoint({
  method: 'POST',
  path: '/gut-check',
  name: 'createGutCheck',
  auth: 'agent',
  scope: 'create',
  access: { restricted: 'refused', cap: 'charged' },
  limits: ['create'],
  summary: 'Get a first impression (300 cents, text)',
  body: Shorthand.extend({
    content: Text.optional(),
    question: Text.optional(),
    scale: Scale.optional().describe(SCALE_SAYS),
  }),
  bodyMaxBytes: TASK_BODY_MAX_BYTES,
  success,
  errors,
  check: checkCallback,
  transaction: 'own',
  handler: ({ body, ...request }) =>
    createTyped(request, body, {
      type: 'gut_check',
      proof: 'text',
      own: { content: body.content, question: body.question, scale: body.scale },
      says: [body.description, body.question, body.content],
      adds: [scale(body.scale)],
      answerSchema: body.scale === undefined ? undefined : readScale(body.scale),
    }),
})

export const field = endpoint({
  method: 'POST',
  path: '/field',
  name: 'createFieldTask',
  auth: 'agent',
  scope: 'create',
  access: { restricted: 'refused', cap: 'charged' },
  limits: ['create'],
  summary: 'Send someone to a place (1500 cents, photo)',
  body: Shorthand.extend({
    mission: Text.optional(),
    checklist: z.array(z.string().trim().min(1).max(500)).max(30).optional(),
  }),
  bodyMaxBytes: TASK_BODY_MAX_BYTES,
  success,
  errors,
  check: checkCallback,
  transaction: 'own',
  handler: ({ body, ...request }) =>
    createTyped(request, body, {
      type: 'field_mission',
      proof: 'photo',
      own: { mission: body.mission, location: body.location, checklist: body.checklist },
      says: [body.description, body.mission, body.checklist?.map((step) => `- ${step}`).join('\n')],
      atPlace: 'Go to the place and describe what you find.',
    }),
})

export const escalate = endpoint({
  method: 'POST',
  path: '/escalate',
  name: 'createEscalation',
  auth: 'agent',
  scope: 'create',
  access: { restricted: 'refused', cap: 'charged' },
  limits: ['create'],
  summary: 'Have someone talk to a person (2000 cents, text, urgent)',
  body: Shorthand.extend({
    situation: Text.optional(),
    person: z
      .object({
        name: z.string().trim().min(1).max(100).optional(),
        contact: z.string().trim().min(1).max(200).optional(),
        channel: z.string().trim().min(1).max(50).optional(),
      })
      .optional()
      .describe('Shown only to the worker who has accepted the task'),
    goal: Text.optional(),
    tone: z.string().trim().min(1).max(200).optional(),
  }),
  bodyMaxBytes: TASK_BODY_MAX_BYTES,
  success,
  errors,
  check: checkCallback,
  transaction: 'own',
  handler: ({ body, ...request }) =>
    createTyped(
      request,
      { urgency: 'urgent', ...body },
      {
        type: 'empathy_escalation',
        proof: 'text',
        own: { situation: body.situation, person: body.person, goal: body.goal, tone: body.tone },
        says: [body.description, body.situation, body.goal && `Goal: ${body.goal}`],
        adds: [body.tone && `Tone: ${body.tone}`],
      },
    ),
})

export const vibe = endpoint({
  method: 'POST',
  path: '/vibe',
  name: 'createVibeCheck',
  auth: 'agent',
  scope: 'create',
  access: { restricted: 'refused', cap: 'charged' },
  limits: ['create'],
  summary: 'Get the vibe of a place, page or text (800 cents, text)',
  body: Shorthand.extend({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .max(2048)
      .optional(),
    content: Text.optional(),
    question: Text.optional(),
    scale: Scale.optional().describe(SCALE_SAYS),
  }),
  bodyMaxBytes: TASK_BODY_MAX_BYTES,
  success,
  errors,
  check: checkCallback,
  transaction: 'own',
  handler: ({ body, ...request }) =>
    createTyped(request, body, {
      type: 'vibe_reader',
      proof: 'text',
      own: {
        location: body.location,
        url: body.url,
        content: body.content,
        question: body.question,
        scale: body.scale,
      },
      says: [body.description, body.question, body.url && `Page: ${body.url}`, body.content],
      adds: [scale(body.scale)],
      atPlace: 'Go to the place and describe its mood.',
      answerSchema: body.scale === undefined ? undefined : readScale(body.scale),
    }),
})

interface Typed {
  type: keyof typeof USUAL_BUDGET_CENTS
  proof: z.output<typeof ProofKind>
  /** The shorthand's own fields, stored in the context unchanged. */
  own: Record<string, unknown>
  /**
   * The paragraphs of the description that workers read. At least one of `says` is required; `adds` are details. Never
   * include the location: before accepting, workers may see only the area.
   */
  says: (string | undefined)[]
  adds?: (string | undefined)[]
  /** The description to use if only a location was given. */
  atPlace?: string
  answerSchema?: TaskInput['answer_schema']
}

function createTyped(request: CreateTask, body: Shorthand, typed: Typed) {
  const { proof, consensus, description: _, budget_cents, ...options } = body
  const isText = (text: string | undefined) => text !== undefined && text !== ''
  const atPlace = body.location === undefined ? undefined : typed.atPlace
  const says = typed.says.some(isText) ? typed.says : [atPlace]
  if (!says.some(isText)) {
    const names = ['description', ...Object.keys(typed.own)].join(', ')
    throw invalidField(
      'description',
      `is required, or another text field that says what to do (${names})`,
    )
  }
  const description = [...says, ...(typed.adds ?? [])].filter(isText).join('\n\n')
  if (Array.from(description).length > 5000)
    throw invalidField(
      'description',
      'must have at most 5000 characters, with all text fields together',
    )

  return createTask(
    {
      ...options,
      type: typed.type,
      description,
      budget_cents: budget_cents ?? USUAL_BUDGET_CENTS[typed.type],
      proof_required: body.proof_required ?? proof ?? typed.proof,
      consensus_count: body.consensus_count ?? consensus,
      answer_schema: body.answer_schema ?? typed.answerSchema,
      context: { ...body.context, ...given(typed.own) },
    },
    request,
    { isSchemaDefault: body.answer_schema === undefined && typed.answerSchema !== undefined },
  )
}

const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const scale = (text: string | undefined) =>
  text &&
  `Answer with a ${readScale(text)?.type === 'number' ? '' : 'whole '}number on the scale ${text.trim()}.`

/** Converts the number to E.164, using the location's country if there is one. If that fails, keeps it and warns. */
function readNumber(
  {
    number: sent,
    location,
    context,
  }: Pick<z.output<typeof Call>, 'number' | 'location' | 'context'>,
  warnings: Warning[],
) {
  if (sent === undefined) return {}
  const number = String(sent)
  const place = location ?? Place.safeParse(context?.location).data
  const read = readPhoneNumber(number, place && countryOf(place))
  if ('problem' in read) throw invalidField('number', read.problem)
  if (!read.isNormalized)
    warnings.push({
      code: 'number_not_normalized',
      path: 'number',
      message:
        'number could not be converted to international format; the worker gets it as written: ' +
        `${read.number}. Add the country code, such as +1, or a location in its country`,
    })
  return read.number === number
    ? { number }
    : { number: read.number, ...(read.isNormalized ? { number_written: number } : {}) }
}
