/** Input schema of a question that a model asks a person. */
import { z } from 'zod'
import { ABOUT_KINDS, KIND_NAMES } from './kinds.ts'
import { WaitSeconds } from './waiting.ts'

export const Input = z.object({
  question: z
    .string()
    .trim()
    .min(1)
    .max(5000)
    .describe('What to find out or do, complete in itself: they see nothing else. No secrets'),
  kind: z.enum(KIND_NAMES).default('custom').describe(ABOUT_KINDS),
  where: z
    .string()
    .max(300)
    .optional()
    .describe('Address or city, or `lat,lng`, if it has to be done there'),
  proof: z
    .enum(['text', 'photo', 'video', 'audio'])
    .optional()
    .describe('What the person has to send; photo for verify and field, else text'),
  budget_cents: z
    .int()
    .min(1)
    .max(100_000_000)
    .optional()
    .describe('In US cents, for all people together; each kind has a default'),
  people: z.int().min(1).max(25).default(1).describe('How many people to ask the same'),
  deadline: z.string().max(40).optional().describe('`30m`, `2h`, `1d`, or an ISO 8601 time'),
  scale: z
    .string()
    .max(40)
    .optional()
    .describe('For gut_check and vibe: a range such as 1-10, or 0.0-1.0 for decimals'),
  phone_number: z
    .string()
    .max(40)
    .optional()
    .describe(
      'For call, best with country code; only the person who makes the call sees it. No emergency numbers',
    ),
  request_key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Any word of your choice. Repeat a call with the same one and it is one task, paid once',
    ),
  wait_seconds: WaitSeconds,
})

const PERSONAS =
  'happy, slow, nobody, blurry, far, late, hand_back, disagree, appeal, injection, me'

/** With a test key, the caller can choose the scripted worker. */
export const TestInput = Input.extend({
  sim: z.string().max(40).optional().describe(`Which scripted person answers: ${PERSONAS}`),
})

export type Question = Omit<z.output<typeof TestInput>, 'wait_seconds'>
