/** The words for types of tasks, with the budgets that the API uses by default. */
import type { Task } from './task-types.ts'

/** `shortName` is the word of the shorthand path. It is understood wherever a type is asked for. */
export const TASK_TYPES = {
  verification: { shortName: 'verify', budgetCents: 500 },
  voice_proxy: { shortName: 'call', budgetCents: 1000 },
  gut_check: { shortName: 'gut-check', budgetCents: 300 },
  field_mission: { shortName: 'field', budgetCents: 1500 },
  empathy_escalation: { shortName: 'escalate', budgetCents: 2000 },
  vibe_reader: { shortName: 'vibe', budgetCents: 800 },
  /** The API has no default for it; this is the budget that `GET /quote` starts from. */
  custom: { shortName: 'custom', budgetCents: 1000 },
} as const satisfies Record<Task['type'], { shortName: string; budgetCents: number }>

export type TaskType = keyof typeof TASK_TYPES

/** The type that a word stands for: `field` and `field_mission` are both `field_mission`. Undefined if it is none. */
export function readTaskType(word: string): TaskType | undefined {
  const types = Object.keys(TASK_TYPES) as TaskType[]
  return types.find((type) => word === type || word === TASK_TYPES[type].shortName)
}
