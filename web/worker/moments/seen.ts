/**
 * Remembers on this phone which moments a worker has seen, so that each is shown once. Some browsers refuse storage: a
 * moment may then come again, which is better than an error.
 */
const KEPT = 'legwork.moments'
const KEPT_MAX = 100

export type Moment = 'accepted' | 'payout' | `paid:${string}`

export const hasSeen = (workerId: string, moment: Moment) =>
  read().includes(keyOf(workerId, moment))

export function noteSeen(workerId: string, moment: Moment): void {
  const key = keyOf(workerId, moment)
  const others = read().filter((one) => one !== key)
  try {
    localStorage.setItem(KEPT, JSON.stringify([...others, key].slice(-KEPT_MAX)))
  } catch {
    // Storage is full or forbidden.
  }
}

const keyOf = (workerId: string, moment: Moment) => `${workerId} ${moment}`

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]')
    return Array.isArray(kept) ? kept.map(String) : []
  } catch {
    return []
  }
}
