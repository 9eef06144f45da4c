/** The types of tasks, in the words of the API, with what a model needs to choose one. */
import { readTaskType, TASK_TYPES, type TaskType } from '@legwork/sdk'
import { z } from 'zod'

/** Each type has a default kind of proof, and a purpose. */
export const ABOUT: Record<TaskType, { proof: 'photo' | 'text'; says: string }> = {
  verification: {
    proof: 'photo',
    says: 'go and check something; the answer is yes or no, with a photo',
  },
  voice_proxy: { proof: 'text', says: 'make a phone call and report what was said' },
  gut_check: {
    proof: 'text',
    says: 'a first impression of a text or an idea, on a `scale` or in words',
  },
  field_mission: { proof: 'photo', says: 'go somewhere and do something, with a photo' },
  empathy_escalation: { proof: 'text', says: 'talk to an upset or hesitant person' },
  vibe_reader: { proof: 'text', says: 'describe the mood of a place, a page or a text' },
  custom: { proof: 'text', says: 'anything else' },
}

const NAMES = Object.keys(TASK_TYPES) as [TaskType, ...TaskType[]]

export const Type = z
  .enum(NAMES)
  .describe(
    NAMES.map(
      (type) => `${type} (${TASK_TYPES[type].budgetCents} cents): ${ABOUT[type].says}`,
    ).join('; '),
  )

/**
 * Reads arguments in other words for the same thing: `kind` for `type`, and the short names of types. The tools show
 * only `type` and the types of the API, but models remember other names, from the paths of the API or from examples.
 */
export function inOneVocabulary(args: unknown): unknown {
  if (typeof args !== 'object' || args === null) return args
  const { kind, ...others } = args as Record<string, unknown>
  const given = kind === undefined || 'type' in others ? args : { ...others, type: kind }
  return 'type' in given && typeof given.type === 'string'
    ? { ...given, type: readTaskType(given.type) ?? given.type }
    : given
}

/** `$12.34`. */
export const dollars = (cents: number) =>
  `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`
