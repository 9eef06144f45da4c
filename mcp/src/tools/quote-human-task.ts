/** Estimates cost and duration. */
import { z } from 'zod'
import { ABOUT_KINDS, dollars, KIND_NAMES, KINDS } from '../kinds.ts'
import { say, tool } from '../tool.ts'

export const quoteHumanTask = tool({
  name: 'quote_human_task',
  title: 'What would a person cost?',
  description:
    'Before asking a person: the usual price, how many people are near, how long it usually takes, and how sure that ' +
    'is. Costs nothing and asks nobody.',
  input: z.object({
    kind: z.enum(KIND_NAMES).describe(ABOUT_KINDS),
    where: z
      .string()
      .max(300)
      .optional()
      .describe('Address or city, or `lat,lng`, if it has to be done there'),
    people: z.int().min(1).max(25).default(1).describe('How many people to ask the same'),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },

  async run({ kind, where, people }, { legwork, signal }) {
    const quote = await legwork.quote(
      { type: KINDS[kind].type, people, ...(where === undefined ? {} : { where }) },
      { signal },
    )
    const { low, usual, high } = quote.budget_cents
    return say(
      `budget_cents: usually ${usual} (${dollars(usual)}), from ${low} to ${high}, for all people together`,
      `people near: ${quote.people_near ?? 'too few to tell'}`,
      `usual time: ${quote.expected_minutes === null ? 'not known' : `${quote.expected_minutes} minutes`}`,
      `confidence: ${quote.confidence}`,
      quote.says,
      'next: Call ask_human to ask. The money is locked then, and paid when you approve, or by itself 24 hours ' +
        'after the proof.',
    )
  },
})
