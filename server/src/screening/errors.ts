import { z } from 'zod'
import { defineError } from '../kit/errors.ts'
import { SECTIONS } from './policy.ts'

export const taskRefused = defineError(
  403,
  'task_refused',
  'This task asks for something that people on this platform may not be asked to do',
  {
    rule: z.string().describe('The public name of the rule'),
    section: z.enum(SECTIONS).describe('The section of the policy'),
    policy_version: z.string(),
    policy_url: z.string(),
    contest: z.string().describe('How to contest the refusal'),
  },
  {
    who: 'agent',
    cause:
      'The text of the task, with all its fields together, matches a rule of the policy "What may be ' +
      'asked". Nothing was created, and no money moved.',
    fix:
      'Read the section of the policy at `policy_url` and ask for something that it allows. If the rule ' +
      'is wrong about your task, contest it as `contest` says: an operator reads it and answers.',
    hint: 'Read policy_url; if your task is allowed, contest says how to have a person look at it',
  },
)
