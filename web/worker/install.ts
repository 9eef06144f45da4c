/** Installing the app on the home screen: the browser offers it, and we prompt at a moment of our choice. */
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

/** Prompts to install; undefined if it is already installed, or the browser doesn't offer it. */
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
    // A prompt can be used only once, whatever the person chooses.
    setOffer(undefined)
    await current.prompt()
  }
}

export const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in navigator && navigator.standalone === true)

/** Safari fires no install event, and allows push only for installed apps. iPads identify as Macs. */
export const isApple = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
