/** Where the phone is: asked for on a tap, known until the app is closed, and kept nowhere. */
import { useSyncExternalStore } from 'react'
import type { Point } from './wishes.ts'

interface Whereabouts {
  state: 'unknown' | 'asking' | 'known' | 'denied' | 'failed'
  position: (Point & { accuracyM: number }) | null
}

const TIMEOUT_MS = 15_000
const AGE_MAX_MS = 60_000

const told = new Set<() => void>()
let here: Whereabouts = { state: 'unknown', position: null }

export const usePosition = (): Whereabouts =>
  useSyncExternalStore(
    (tell) => {
      told.add(tell)
      return () => told.delete(tell)
    },
    () => here,
  )

export async function askPosition(): Promise<Whereabouts['position']> {
  if (!('geolocation' in navigator)) return become({ ...here, state: 'failed' })
  become({ ...here, state: 'asking' })
  try {
    const { coords } = await new Promise<GeolocationPosition>((resolve, reject) =>
      navigator.geolocation.getCurrentPosition(resolve, reject, {
        enableHighAccuracy: true,
        timeout: TIMEOUT_MS,
        maximumAge: AGE_MAX_MS,
      }),
    )
    const position = { lat: coords.latitude, lng: coords.longitude, accuracyM: coords.accuracy }
    return become({ state: 'known', position })
  } catch (error) {
    const isDenied = (error as GeolocationPositionError).code === 1
    return become({ ...here, state: isDenied ? 'denied' : 'failed' })
  }
}

function become(now: Whereabouts): Whereabouts['position'] {
  here = now
  for (const tell of told) tell()
  return here.position
}
