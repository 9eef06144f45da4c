/**
 * The phone's position: requested on a tap, or by the map if the worker has already allowed it. Held in memory until
 * the app is closed, never stored.
 */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { askPosition, NoPosition } from '../phone/ask-position.ts'
import type { Fix } from '../phone/position.ts'

interface Whereabouts {
  state: 'unknown' | 'asking' | 'known' | 'denied' | 'failed'
  position: Fix | null
  /** Whether the worker asked for it. The list of tasks is sorted by such a position only. */
  isByTap: boolean
}

const AGE_MAX_MS = 60_000

const listeners = new Set<() => void>()
let here: Whereabouts = { state: 'unknown', position: null, isByTap: false }

export const usePosition = (): Whereabouts =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => here,
  )

/** Asks for the position if the browser won't ask the worker; pending until it is known whether there is one. */
export function useGrantedPosition(): { position: Fix | null; isPending: boolean } {
  const { state, position } = usePosition()
  const [isGranted, setIsGranted] = useState<boolean>()
  useEffect(() => {
    let isOver = false
    void isAllowed().then((found) => {
      if (isOver) return
      if (found && here.state === 'unknown') void findPosition({ isByTap: false })
      setIsGranted(found)
    })
    return () => {
      isOver = true
    }
  }, [])
  const isPending =
    position === null && (isGranted === undefined || (isGranted && state === 'asking'))
  return { position, isPending }
}

async function isAllowed(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted'
  } catch {
    return false
  }
}

/** If it fails, the last known position stays. */
export async function findPosition({ isByTap = true } = {}): Promise<Fix | null> {
  become({ ...here, state: 'asking' })
  try {
    const position = await askPosition({ enableHighAccuracy: true, maximumAge: AGE_MAX_MS })
    become({ state: 'known', position, isByTap: isByTap || here.isByTap })
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
