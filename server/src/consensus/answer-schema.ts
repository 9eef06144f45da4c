/** The part of JSON Schema that an `answer_schema` may use: boolean, enum, number, text, or an object of these. */
import { z } from 'zod'
import { named } from '../kit/named.ts'

const PROPERTIES_MAX = 100

const AnswerValue = named(
  'AnswerValueSchema',
  z.union(
    [
      z.object({ type: z.literal('boolean'), description: z.string().max(500).optional() }),
      z.object({
        type: z.enum(['string', 'number', 'integer']).optional(),
        enum: z
          .array(z.union([z.string().max(200), z.number()]))
          .min(2)
          .max(50),
        description: z.string().max(500).optional(),
      }),
      z
        .object({
          type: z.enum(['number', 'integer']),
          minimum: z.number().optional(),
          maximum: z.number().optional(),
          description: z.string().max(500).optional(),
        })
        .refine(({ minimum, maximum }) => (minimum ?? -Infinity) <= (maximum ?? Infinity)),
      z
        .object({
          type: z.literal('string'),
          minLength: z.int().min(0).optional(),
          maxLength: z.int().min(1).max(5000).optional(),
          description: z.string().max(500).optional(),
        })
        .refine(({ minLength, maxLength }) => (minLength ?? 0) <= (maxLength ?? 5000)),
    ],
    { error: 'must be a JSON Schema of type boolean, number, integer, string or an enum' },
  ),
)
export const AnswerSchema = named(
  'AnswerSchema',
  z.union(
    [
      z
        .object({
          type: z.literal('object'),
          properties: z
            .record(z.string().max(100), AnswerValue)
            .refine((properties) => Object.keys(properties).length <= PROPERTIES_MAX),
          required: z.array(z.string().max(100)).max(PROPERTIES_MAX).optional(),
          description: z.string().max(500).optional(),
        })
        .refine(({ properties, required = [] }) =>
          required.every((name) => Object.hasOwn(properties, name)),
        ),
      AnswerValue,
    ],
    {
      error: 'must be a JSON Schema of type boolean, number, integer, string or object, or an enum',
    },
  ),
)
