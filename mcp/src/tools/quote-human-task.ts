/** Estimates cost and duration. */
import { z } from 'zod'
import { dollars, Type } from '../task-types.ts'
import { say, tool } from '../tool.ts'

export const quoteHumanTask = tool({
  name: 'quote_human_task',
  title: 'Estimate price and time',
  description:
    'Estimates a task before you ask: returns the typical price, the number of people nearby, the typical time and ' +
    'how reliable the estimate is. Use it to choose budget_cents. Costs nothing and asks nobody.',
  input: z.object({
    type: Type,
    where: z
      .string()
      .max(300)
      .optional()
      .describe('Address, city or `lat,lng`, if the task must be done at a place'),
    people: z.int().min(1).max(25).default(1).describe('How many people get the same question'),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },

  async run({ type, where, people }, { legwork, signal }) {
    const quote = await legwork.quote(
      { type, people, ...(where === undefined ? {} : { where }) },
      { signal },
    )
    const { low, usual, high } = quote.budget_cents
    return say(
      `budget_cents: typically ${usual} (${dollars(usual)}), from ${low} to ${high}, in total for all people`,
      `people nearby: ${quote.people_near ?? 'too few to tell'}`,
      `typical time: ${quote.expected_minutes === null ? 'unknown' : `${quote.expected_minutes} minutes`}`,
      `confidence: ${quote.confidence}`,
      quote.says,
      'next: Call ask_human to ask. The money is then locked, and paid when you approve the work, or automatically ' +
        '24 hours after the proof.',
    )
  },
})
