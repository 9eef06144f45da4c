import { formatCents } from '../../kit/money.ts'
import { ageOf, counted, plain } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { reports } from '../reports.ts'

const DESCRIPTION_MAX = 500

export function renderReports({ at, tasks }: DataOf<typeof reports>): string[] {
  if (tasks.length === 0) return ['No reports to review']
  return tasks.flatMap((task) => [
    `${task.id}: ${task.status}, ${formatCents(task.budget_cents)}, ${task.type}, ` +
      `reported ${ageOf(at.getTime() - task.since.getTime())} ago` +
      (task.reported_at === null ? ', still visible' : ', hidden'),
    `  by ${plain(task.agent_name)} (${task.agent_id}, ${plain(task.agent_email)}); ` +
      `${counted(task.held, 'workers')} working on it, ${counted(task.submitted, 'proofs')} to ` +
      'review',
    ...(task.title === null ? [] : [`  ${plain(task.title)}`]),
    `  ${plain(task.description).slice(0, DESCRIPTION_MAX)}`,
    ...task.reports.map(
      ({ kind, note, weight }) =>
        `  - ${kind}, weight ${weight}${note === null ? '' : `: ${plain(note)}`}`,
    ),
    '',
  ])
}
