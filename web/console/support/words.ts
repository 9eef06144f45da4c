import { plural } from '../../shared/desk/figures.ts'
import type { Question, ServiceTime } from './queries.ts'

/** In the order of the form. */
export const SUBJECTS: Record<Question['subject'], string> = {
  safety: 'Safety: someone may be in danger',
  billing: 'Billing',
  task: 'A task',
  dispute: 'A dispute or another decision',
  account: 'My account',
  webhook: 'Webhooks',
  other: 'Something else',
}
export const SUBJECT_NAMES = Object.keys(SUBJECTS) as Question['subject'][]

export const TEXT = { min: 10, max: 2000 }

const timeOf = (hours: number) =>
  hours % 24 === 0 && hours > 24 ? plural(hours / 24, 'day') : plural(hours, 'hour')

/** How soon a person answers. */
export function answerTime(
  { promised_hours, promised_safety_hours, usual_hours }: ServiceTime,
  subject?: Question['subject'],
): string {
  if (subject === 'safety') return `We answer within ${timeOf(promised_safety_hours)}.`
  if (usual_hours === null) return `We answer within ${timeOf(promised_hours)}.`
  return `We usually answer within ${timeOf(usual_hours)}, and within ${timeOf(promised_hours)} at the latest.`
}
