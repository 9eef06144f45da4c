/** Putting the app on the home screen: the browser says when it can, and we ask at a moment of our own. */
import { useSyncExternalStore } from 'react'

interface InstallEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offer: InstallEvent | undefined
const listeners = new Set<() => void>()

function setOffer(now: InstallEvent | undefined): void {
  offer = now
  for (const tell of listeners) tell()
}

export function waitForInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    setOffer(event as InstallEvent)
  })
  addEventListener('appinstalled', () => setOffer(undefined))
}

/** How to install it now; undefined where it is installed already, or the browser does not offer it. */
export function useInstall(): (() => Promise<void>) | undefined {
  const current = useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => offer,
  )
  if (current === undefined) return undefined
  return async () => {
    // An offer can be used once, whatever the answer is.
    setOffer(undefined)
    await current.prompt()
  }
}

export const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in navigator && navigator.standalone === true)

/** Safari tells nobody, and pushes only to apps on the home screen. iPads say that they are Macs. */
export const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
