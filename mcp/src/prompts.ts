/** Three common ways to ask, as named prompts: a photo check, a phone call, an opinion poll. */
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

const AFTERWARDS =
  'Check the budget with get_budget first. If nobody has answered when the call returns, continue with ' +
  'wait_for_human. ' +
  'Tell me the result and show me the evidence. Ask me before you approve or dispute with review_human_work.'

const say = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
})

export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    'photo_check',
    {
      title: 'Photo check',
      description: 'Have a person check something and take a photo',
      argsSchema: z.object({
        question: z.string().describe('A yes-or-no question'),
        where: z.string().describe('Street and city'),
      }),
    },
    ({ question, where }) =>
      say(
        `Have a person check this on the spot: ${question}\nPlace: ${where}\n` +
          'Use ask_human with type verification and proof photo. Say in the question what the photo must show, and ' +
          `what to photograph if the answer is no. ${AFTERWARDS}`,
      ),
  )
  server.registerPrompt(
    'phone_call',
    {
      title: 'Phone call',
      description: 'Have a person call a number and find something out',
      argsSchema: z.object({
        number: z.string().describe('Phone number with country code'),
        goal: z.string().describe('What to find out or arrange'),
      }),
    },
    ({ number, goal }) =>
      say(
        `Have a person make a phone call. Goal: ${goal}\nNumber: ${number}\n` +
          'Use ask_human with type voice_proxy and the number in phone_number, not in the question. Write what to ' +
          `say, what to write down, and what to do if nobody answers. ${AFTERWARDS}`,
      ),
  )
  server.registerPrompt(
    'opinion_poll',
    {
      title: 'Opinion poll',
      description: 'Ask several people for their first impression',
      argsSchema: z.object({
        question: z.string(),
        people: z.string().optional().describe('How many, 5 by default'),
        scale: z
          .string()
          .optional()
          .describe('A range such as 1-10; without it they answer in words'),
      }),
    },
    ({ question, people = '5', scale }) =>
      say(
        `Ask ${people} people for their first impression: ${question}\n` +
          `Use ask_human once, with type gut_check, people ${people}` +
          `${scale === undefined ? '' : ` and scale ${scale}`}. Put everything they need to know into the question. ` +
          `Report the range of the answers, not only the average. ${AFTERWARDS}`,
      ),
  )
}
