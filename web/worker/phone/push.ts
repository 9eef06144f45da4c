/**
 * Messages that reach this phone while the app is closed. The browser gives an address at its own push service; ours
 * sends there, encrypted for this browser. Permission is asked for on a tap only: who is asked out of nowhere says no,
 * and can hardly be asked again.
 */
import { api } from '../api.ts'
import { isApple, isInstalled } from '../install.ts'
import { addressOf } from './push-address.ts'

/** Which of our subscriptions is this phone's; its id opens nothing. */
const KEPT = 'legwork.push'
const READY_MS = 10_000

export type PushState =
  /** This browser has no push. */
  | 'unsupported'
  /** It would have, if the app were on the home screen. */
  | 'needs_install'
  /** Forbidden in the browser's settings; only there can it be allowed again. */
  | 'denied'
  | 'off'
  | 'on'

export class PushRefused extends Error {
  readonly state: PushState
  constructor(state: PushState) {
    super(`Push is ${state}`)
    this.name = 'PushRefused'
    this.state = state
  }
}

const isSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

/** `known`: the subscriptions that the server has of this person. */
export async function pushState(known: readonly { id: string }[]): Promise<PushState> {
  if (!isSupported()) return isApple() && !isInstalled() ? 'needs_install' : 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const id = subscriptionId()
  if (id === null || !known.some((one) => one.id === id)) return 'off'
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ? 'on' : 'off'
}

export const subscriptionId = () => localStorage.getItem(KEPT)

/** Only from a tap. */
export async function beginPush(publicKey: string, label: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new PushRefused(Notification.permission === 'denied' ? 'denied' : 'off')
  const { pushManager } = await readyWorker()
  const subscription = await subscribe(pushManager, publicKey)
  const body = { ...addressOf(subscription), label }
  const answer = await api.post('/worker/push', { body })
  localStorage.setItem(KEPT, answer.subscription.id)
}

/** Also when the person logs out: what comes next is not for who has the phone then. */
export async function endPush(): Promise<void> {
  const id = subscriptionId()
  if (id === null) return
  // The server forgets by itself what its messages no longer reach.
  await api.delete('/worker/push/{id}', { params: { id } }).catch(() => undefined)
  localStorage.removeItem(KEPT)
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

/** One that was made for another key of the server takes no other. */
async function subscribe(manager: PushManager, publicKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    return await manager.subscribe(options)
  } catch (error) {
    const old = await manager.getSubscription()
    if (old === null) throw error
    await old.unsubscribe()
    return manager.subscribe(options)
  }
}

async function readyWorker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new PushRefused('unsupported')), READY_MS)
  })
  return Promise.race([navigator.serviceWorker.ready, late])
}
