/** Input schema of a question that a model asks a person. */
import { z } from 'zod'
import { AskedSchema } from './answers.ts'
import { Type } from './task-types.ts'
import { WaitSeconds } from './waiting.ts'

export const Input = z.object({
  question: z
    .string()
    .trim()
    .min(1)
    .max(5000)
    .describe(
      'What to find out or do. Include everything the person needs: they see nothing else. No secrets',
    ),
  type: Type.default('custom'),
  where: z
    .string()
    .max(300)
    .optional()
    .describe('Address, city or `lat,lng`, if the task must be done at a place'),
  proof: z
    .enum(['text', 'photo', 'video', 'audio'])
    .optional()
    .describe(
      'What the person must send. Default: photo for verification and field_mission, otherwise text',
    ),
  budget_cents: z
    .int()
    .min(1)
    .max(100_000_000)
    .optional()
    .describe('US cents, in total for all people. Each type has a default'),
  people: z.int().min(1).max(25).default(1).describe('How many people get the same question'),
  deadline: z.string().max(40).optional().describe('`30m`, `2h`, `1d`, or an ISO 8601 time'),
  scale: z
    .string()
    .max(40)
    .optional()
    .describe('For gut_check and vibe_reader: a range such as 1-10, or 0.0-1.0 for decimals'),
  answer_schema: AskedSchema.optional(),
  phone_number: z
    .string()
    .max(40)
    .optional()
    .describe(
      'Required for voice_proxy, preferably with country code. Only the person who calls sees it. No emergency numbers',
    ),
  request_key: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'Always send one: a new random value for each question, and the same value whenever you repeat the call. ' +
        'Calls with the same value are one task, paid once, even at the same instant',
    ),
  wait_seconds: WaitSeconds,
})

const PERSONAS =
  'happy, slow, nobody, blurry, far, late, hand_back, disagree, appeal, injection, me'

/** With a test key, the caller can choose the scripted worker. */
export const TestInput = Input.extend({
  sim: z.string().max(40).optional().describe(`The scripted worker that answers: ${PERSONAS}`),
})

export type Question = Omit<z.output<typeof TestInput>, 'wait_seconds'>
