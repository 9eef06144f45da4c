/** The phone's position: requested on a tap, held in memory until the app is closed, never stored. */
import { useSyncExternalStore } from 'react'
import { askPosition, NoPosition } from '../phone/ask-position.ts'
import type { Fix } from '../phone/position.ts'

interface Whereabouts {
  state: 'unknown' | 'asking' | 'known' | 'denied' | 'failed'
  position: Fix | null
}

const AGE_MAX_MS = 60_000

const listeners = new Set<() => void>()
let here: Whereabouts = { state: 'unknown', position: null }

export const usePosition = (): Whereabouts =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => here,
  )

/** If it fails, the last known position stays. */
export async function findPosition(): Promise<Fix | null> {
  become({ ...here, state: 'asking' })
  try {
    const position = await askPosition({ enableHighAccuracy: true, maximumAge: AGE_MAX_MS })
    become({ state: 'known', position })
  } catch (error) {
    const isDenied = error instanceof NoPosition && error.isDenied
    become({ ...here, state: isDenied ? 'denied' : 'failed' })
  }
  return here.position
}

function become(now: Whereabouts): void {
  here = now
  for (const tell of listeners) tell()
}
