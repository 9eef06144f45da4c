/** Counts the photos that an operator has looked at without a pause, to suggest one. */
import { useSyncExternalStore } from 'react'

const PHOTOS_MAX = 60
/** After this long without a photo, the operator has had a pause. */
const PAUSE_MS = 25 * 60_000

let photos = 0
let lastAt = 0
const listeners = new Set<() => void>()

function set(count: number): void {
  photos = count
  for (const tell of listeners) tell()
}

export function usePhotoCount() {
  const count = useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => photos,
  )
  return {
    isTired: count >= PHOTOS_MAX,
    add(): void {
      const now = Date.now()
      const isRested = now - lastAt > PAUSE_MS
      lastAt = now
      set(isRested ? 1 : photos + 1)
    },
    rest: () => set(0),
  }
}
