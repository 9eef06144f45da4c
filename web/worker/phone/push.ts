/**
 * Push notifications while the app is closed. The browser provides an endpoint at its own push service; our server
 * sends there, encrypted for this browser. Ask for permission on a tap only: people who are asked unprompted refuse,
 * and can hardly be asked again.
 */
import { api } from '../api.ts'
import { isApple, isInstalled } from '../install.ts'
import { addressOf } from './push-address.ts'

/** Id of this phone's subscription; it isn't a secret. */
const KEPT = 'legwork.push'
const READY_MS = 10_000

export type PushState =
  /** This browser doesn't support push. */
  | 'unsupported'
  /** Supported only once the app is on the home screen. */
  | 'needs_install'
  /** Blocked; only the browser's settings can allow it again. */
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

/** `known`: the worker's subscriptions on the server. */
export async function pushState(known: readonly { id: string }[]): Promise<PushState> {
  if (!isSupported()) return isApple() && !isInstalled() ? 'needs_install' : 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  const id = subscriptionId()
  if (id === null || !known.some((one) => one.id === id)) return 'off'
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ? 'on' : 'off'
}

export const subscriptionId = () => localStorage.getItem(KEPT)

/** Call only on a tap, since it asks for permission. */
export async function beginPush(publicKey: string, label: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new PushRefused(Notification.permission === 'denied' ? 'denied' : 'off')
  const { pushManager } = await readyWorker()
  const subscription = await subscribe(pushManager, publicKey)
  const body = { ...addressOf(subscription), label }
  const answer = await api.post('/worker/push', { body })
  localStorage.setItem(KEPT, answer.subscription.id)
}

/** Also called on logout, since the next user of the phone must not get these messages. */
export async function endPush(): Promise<void> {
  const id = subscriptionId()
  if (id === null) return
  // Ignore failures: the server removes unreachable subscriptions automatically.
  await api.delete('/worker/push/{id}', { params: { id } }).catch(() => undefined)
  localStorage.removeItem(KEPT)
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

/** A subscription is bound to the server key it was made with, so replace one that has another key. */
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
