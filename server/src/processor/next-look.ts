const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** Polling intervals by age: up to `ageMs` old, wait `pauseMs`. */
const PAUSES: [ageMs: number, pauseMs: number][] = [
  [MINUTE_MS, 30 * SECOND_MS],
  [3 * MINUTE_MS, MINUTE_MS],
  [10 * MINUTE_MS, 2 * MINUTE_MS],
  [30 * MINUTE_MS, 5 * MINUTE_MS],
  [3 * 60 * MINUTE_MS, 15 * MINUTE_MS],
]
const LONGEST_PAUSE_MS = 60 * MINUTE_MS

/** When to poll the processor again about something that began at `begunAt`: soon at first, eventually every hour. */
export function nextLook(begunAt: Date, now: Date): Date {
  const ageMs = now.getTime() - begunAt.getTime()
  const pauseMs = PAUSES.find(([upToMs]) => ageMs < upToMs)?.[1] ?? LONGEST_PAUSE_MS
  return new Date(now.getTime() + pauseMs)
}
