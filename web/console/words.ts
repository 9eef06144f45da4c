/** Display names for the API's values. */
import type { Answer } from './api.ts'

export type Task = Answer<'/tasks'>['tasks'][number]
export type TaskType = Task['type']
export type Status = Task['status']

export const TYPES: Record<TaskType, string> = {
  verification: 'Verification',
  voice_proxy: 'Phone call',
  gut_check: 'Gut check',
  field_mission: 'Field mission',
  empathy_escalation: 'Escalation',
  vibe_reader: 'Vibe',
  custom: 'Custom',
}
export const TYPE_NAMES = Object.keys(TYPES) as TaskType[]

type Tone = 'plain' | 'warn' | 'good' | 'bad' | 'info'

export const STATUSES: Record<Status, { label: string; tone: Tone; says: string }> = {
  pending: { label: 'Pending', tone: 'plain', says: 'Looking for a person' },
  in_progress: { label: 'In progress', tone: 'info', says: 'A person is on it' },
  proof_submitted: { label: 'Proof submitted', tone: 'warn', says: 'Waiting for your review' },
  completed: { label: 'Completed', tone: 'good', says: 'Approved and paid' },
  disputed: { label: 'Disputed', tone: 'bad', says: 'Disputed and refunded' },
  expired: { label: 'Expired', tone: 'plain', says: 'Not done in time, refunded' },
  cancelled: { label: 'Canceled', tone: 'plain', says: 'Canceled by you' },
}
export const STATUS_NAMES = Object.keys(STATUSES) as Status[]

export const titleOf = ({ title, description }: Pick<Task, 'title' | 'description'>) =>
  title ?? description.split('\n')[0]!
