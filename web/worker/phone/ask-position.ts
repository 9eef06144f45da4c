/** Requests the phone's position once. Call it only on a tap, since the browser asks for permission. */
import type { Fix } from './position.ts'

const WAIT_MS = 15_000

export class NoPosition extends Error {
  readonly isDenied: boolean
  constructor(isDenied: boolean) {
    super('No position')
    this.name = 'NoPosition'
    this.isDenied = isDenied
  }
}

export function askPosition(options: PositionOptions): Promise<Fix> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) return reject(new NoPosition(false))
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        resolve({ lat: coords.latitude, lng: coords.longitude, accuracyM: coords.accuracy }),
      (error) => reject(new NoPosition(error.code === error.PERMISSION_DENIED)),
      { timeout: WAIT_MS, ...options },
    )
  })
}
