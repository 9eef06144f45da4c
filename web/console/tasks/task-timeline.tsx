import { type Step, Timeline } from '../../shared/ui/timeline.tsx'
import { clockTime, day, money } from '../../shared/desk/figures.ts'
import { Ago } from '../../shared/desk/ago.tsx'
import type { TaskDetail } from '../queries.ts'
import { useNow } from '../../shared/use-now.ts'
import { dueOf, unanswered } from './due.ts'

/** What has happened to the task, and what will happen automatically. */
export function TaskTimeline({ task }: { task: TaskDetail }) {
  const now = useNow(10_000)
  const past = task.timeline.map(({ at, event, worker_name = '' }, index): Step => {
    return {
      id: `${index}-${event}`,
      title: <span dir="auto">{wordsOf(event, worker_name, task)}</span>,
      at: (
        <time dateTime={at}>
          {Math.abs(now - Date.parse(at)) > DAY_MS ? `${day(at)}, ` : ''}
          {clockTime(at)}
        </time>
      ),
      state: 'done',
    }
  })
  const [first, ...rest] = comingOf(task)
  const coming = first === undefined ? [] : [{ ...first, state: 'now' as const }, ...rest]
  return <Timeline label="Timeline" steps={[...past, ...coming]} />
}

const DAY_MS = 86_400_000

function wordsOf(event: string, who: string, task: TaskDetail): string {
  const words: Record<string, string> = {
    'task.created': `Posted, ${money(lockedOf(task))} locked`,
    'task.accepted': `${who} accepted`,
    'task.proof_submitted': `${who} sent proof`,
    'task.released': `${who} handed it back or ran out of time`,
    'task.disputed': 'You disputed it',
    'task.dispute_held': 'You disputed it. An operator decides first',
    'task.appealed': `${who} appealed`,
    'task.dispute_resolved': 'The dispute was resolved',
    'task.completed':
      task.approved_by === 'auto' ? 'Approved automatically and paid' : 'Approved and paid',
    'task.expired': 'Not done in time, refunded',
    'task.cancelled': 'Canceled by you',
  }
  return words[event] ?? event
}

const lockedOf = ({ transactions, budget_cents }: TaskDetail) =>
  Math.abs(transactions.find(({ type }) => type === 'escrow_lock')?.amount_cents ?? budget_cents)

function comingOf(task: TaskDetail): Step[] {
  const due = dueOf(task)
  const step = (id: string, title: string, at?: string): Step => ({
    id,
    title,
    state: 'next',
    ...(at === undefined ? {} : { at: <Ago at={at} /> }),
  })
  switch (task.status) {
    case 'pending':
      return [step('seek', 'Looking for a person'), step('end', 'Deadline', task.deadline)]
    case 'in_progress':
      return [step('work', 'Waiting for proof'), step('end', 'Deadline', task.deadline)]
    case 'proof_submitted':
      if (task.decides_by !== null)
        return [
          step('decide', 'An operator decides on your dispute'),
          step('lapse', 'Without a decision, the worker is paid', task.decides_by),
        ]
      return [
        step('verdict', 'Waiting for your review'),
        ...(due === undefined ? [] : [step('auto', 'Approved automatically', due)]),
      ]
    case 'disputed': {
      const waiting = unanswered(task.dispute)
      if (waiting !== undefined)
        return [
          step('answer', 'Waiting for your reply to the appeal'),
          step('concede', 'Without a reply, the worker is paid', waiting.agent_until),
        ]
      const isAppealed = task.dispute?.appeals.some(({ ruling }) => ruling === null) ?? false
      return isAppealed ? [step('rule', 'An operator decides')] : []
    }
    default:
      return []
  }
}
