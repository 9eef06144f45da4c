/** The phone's position and its accuracy. */
import { useEffect, useState } from 'react'
import type { Position } from './outbox-rules.ts'

export interface Fix {
  lat: number
  lng: number
  accuracyM: number
}

export interface Where {
  fix: Fix | null
  /** `asking` until known; `denied` if the permission was refused; `unknown` if the phone can't tell. */
  state: 'asking' | 'known' | 'denied' | 'unknown'
}

/** Watches the position while `isWanted`. */
export function usePosition(isWanted: boolean): Where {
  const [where, setWhere] = useState<Where>({ fix: null, state: 'asking' })
  useEffect(() => {
    if (!isWanted) return
    if (!('geolocation' in navigator)) {
      setWhere({ fix: null, state: 'unknown' })
      return
    }
    const watch = navigator.geolocation.watchPosition(
      ({ coords }) =>
        setWhere({
          fix: { lat: coords.latitude, lng: coords.longitude, accuracyM: coords.accuracy },
          state: 'known',
        }),
      (error) =>
        setWhere(({ fix }) => ({
          fix,
          state: error.code === error.PERMISSION_DENIED ? 'denied' : fix ? 'known' : 'unknown',
        })),
      { enableHighAccuracy: true, maximumAge: 10_000, timeout: 30_000 },
    )
    return () => navigator.geolocation.clearWatch(watch)
  }, [isWanted])
  return where
}

/** A thousandth of a degree: about a hundred meters. */
const GRID = 1000
const GRID_ERROR_M = 80

/** Coarsens the position before sending, for privacy. */
export const coarse = ({ lat, lng, accuracyM }: Fix): Position => ({
  lat: Math.round(lat * GRID) / GRID,
  lng: Math.round(lng * GRID) / GRID,
  accuracy_m: Math.min(100_000, Math.ceil(accuracyM + GRID_ERROR_M)),
})

const EARTH_KM = 6371

export function distanceKm(
  one: { lat: number; lng: number },
  other: { lat: number; lng: number },
): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const half =
    Math.sin(radians(other.lat - one.lat) / 2) ** 2 +
    Math.cos(radians(one.lat)) *
      Math.cos(radians(other.lat)) *
      Math.sin(radians(other.lng - one.lng) / 2) ** 2
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(half)))
}
