/** Which tasks wait for the worker. Pure rules. */
import type { OutboxItem } from '../phone/outbox-rules.ts'
import type { WorkInList } from './queries.ts'

export interface Need {
  kind: 'appeal' | 'revision' | 'hurry' | 'refused' | 'needsLogin'
  /** Until when the worker can act; null if there is no deadline. */
  until: string | null
}

/** Once this share of the time is left, the worker has to finish, or hand the task back. */
const HURRY_SHARE = 0.25
const HURRY_MS = 15 * 60_000

type Asked = Pick<WorkInList, 'appeal_until'> & {
  assignment: Pick<
    WorkInList['assignment'],
    'status' | 'accepted_at' | 'expires_at' | 'revision_note'
  >
}

/** Returns the worker's next step for a task and its deadline; undefined if nothing is urgent. */
export function needOf(
  { assignment, appeal_until }: Asked,
  item: Pick<OutboxItem, 'state'> | undefined,
  now: number,
): Need | undefined {
  const { status, accepted_at, expires_at, revision_note } = assignment
  const isOpen = status === 'accepted' && Date.parse(expires_at) > now
  if (item?.state === 'refused') return { kind: 'refused', until: isOpen ? expires_at : null }
  if (item?.state === 'needs_login') return { kind: 'needsLogin', until: null }
  if (item !== undefined) return undefined
  if (appeal_until !== null && Date.parse(appeal_until) > now)
    return { kind: 'appeal', until: appeal_until }
  if (!isOpen) return undefined
  if (revision_note !== null) return { kind: 'revision', until: expires_at }
  const whole = Date.parse(expires_at) - Date.parse(accepted_at)
  const left = Date.parse(expires_at) - now
  return left <= Math.max(HURRY_MS, whole * HURRY_SHARE)
    ? { kind: 'hurry', until: expires_at }
    : undefined
}

/** The nearest deadline first. */
export const byDeadline = (one: Need, other: Need) =>
  (one.until ?? '9999').localeCompare(other.until ?? '9999')
