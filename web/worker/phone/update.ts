/** A new version of the app: it waits until the person takes it, so that nothing changes under their hands. */
import { useEffect, useState } from 'react'
import { USE_IT_NOW } from './new-version.ts'

const LOOK_MS = 3_600_000

/** undefined while there is none. */
export function useUpdate(): (() => void) | undefined {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null)
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return
    let timer: ReturnType<typeof setInterval> | undefined
    void navigator.serviceWorker.ready.then((registration) => {
      const look = () => {
        // Without one in charge, what is waiting is the first: there is nothing to be updated.
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
