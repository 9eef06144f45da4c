/** Where this phone is: asked for on a tap, and rounded to about a kilometre, which is enough for a list of tasks. */
export interface Position {
  lat: number
  lng: number
}

const WAIT_MS = 15_000

export class NoPosition extends Error {
  readonly isDenied: boolean
  constructor(isDenied: boolean) {
    super('No position')
    this.name = 'NoPosition'
    this.isDenied = isDenied
  }
}

export function askPosition(): Promise<Position> {
  return new Promise((resolve, reject) => {
    if (!('geolocation' in navigator)) return reject(new NoPosition(false))
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve({ lat: rounded(coords.latitude), lng: rounded(coords.longitude) }),
      (error) => reject(new NoPosition(error.code === error.PERMISSION_DENIED)),
      { timeout: WAIT_MS, maximumAge: 300_000 },
    )
  })
}

const rounded = (degrees: number) => Math.round(degrees * 100) / 100
