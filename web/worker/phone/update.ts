/** App updates: a new version waits until the person accepts it, so that nothing changes while they work. */
import { useEffect, useState } from 'react'
import { USE_IT_NOW } from './new-version.ts'

const LOOK_MS = 3_600_000

/** Applies the update; undefined if there is none. */
export function useUpdate(): (() => void) | undefined {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null)
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return
    let timer: ReturnType<typeof setInterval> | undefined
    void navigator.serviceWorker.ready.then((registration) => {
      const look = () => {
        // Without a controller, the waiting worker is the first version, not an update.
        if (navigator.serviceWorker.controller !== null) setWaiting(registration.waiting)
      }
      look()
      registration.addEventListener('updatefound', () =>
        registration.installing?.addEventListener('statechange', look),
      )
      timer = setInterval(() => void registration.update().catch(() => {}), LOOK_MS)
    })
    return () => clearInterval(timer)
  }, [])

  if (waiting === null) return undefined
  return () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), {
      once: true,
    })
    waiting.postMessage(USE_IT_NOW)
  }
}
