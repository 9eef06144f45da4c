/**
 * The service worker: offline use, sending proofs while the app is closed, and push notifications. web/build.ts fills
 * in PRECACHE, VERSION and OTHER_APPS.
 */
import { api } from './api.ts'
import { keptDb, STREETS } from './offline-db.ts'
import { noticeLink } from './notice-link.ts'
import { USE_IT_NOW } from './phone/new-version.ts'
import { sendOutbox, SYNC_TAG } from './phone/outbox.ts'
import { addressOf } from './phone/push-address.ts'
import { type Pushed, wordsOf } from './phone/pushed.ts'

const worker = globalThis as unknown as ServiceWorkerGlobalScope
declare const PRECACHE: string[]
declare const VERSION: string
declare const OTHER_APPS: string[]

const SHELL = `shell-${VERSION}`
/** Files cached on first use, such as the map. Their names contain a hash, so they never go stale. */
const LATER = 'later'
const LATER_PATHS = /^\/assets\//
/** Paths that aren't part of this app: other apps, the server's pages, and files for developers and their programs. */
const OTHER_FOLDERS = [
  '/docs',
  '/about',
  '/help',
  '/contact',
  '/legal',
  '/assets/front',
  ...OTHER_APPS.flatMap((base) => [base, `/assets${base}`]),
]
const OTHER_FILES =
  /^\/(?:llms(?:-full)?\.txt|auth\.md|openapi\.json|robots\.txt|sitemap\.xml|preview\.png)$/
/** The stored response of `sessionQuery`. Its module would bring React into this script. */
const SESSION = '["session"]'
const isOfApp = (pathname: string) =>
  !OTHER_FILES.test(pathname) &&
  !OTHER_FOLDERS.some((folder) => `${pathname}/`.startsWith(`${folder}/`))

worker.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(PRECACHE)))
})

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys())
        if (![SHELL, LATER, STREETS].includes(name)) await caches.delete(name)
      await worker.clients.claim()
    })(),
  )
})

worker.addEventListener('message', ({ data }) => {
  if (data === USE_IT_NOW) void worker.skipWaiting()
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  if (pathname.startsWith('/api/') || pathname === '/sw.js') return
  // Exclude the server's own page, and the street map, which is read with range requests.
  if (pathname === '/wallet' || pathname.startsWith('/map/')) return
  if (!isOfApp(pathname)) return
  event.respondWith(request.mode === 'navigate' ? page(request) : file(request, pathname))
})

/** Every screen is the same HTML page, served from the cache. */
async function page(request: Request): Promise<Response> {
  const shell = await caches.open(SHELL)
  const cached = await shell.match('/index.html')
  const { pathname, searchParams } = new URL(request.url)
  const isFront = pathname === '/' && !searchParams.has('app') && !(await isWorkers())
  if (cached === undefined || isFront) return fetch(request).catch(() => cached ?? Response.error())
  return cached
}

/** Whether `/` is the app here, as on the server: on a phone, or for a logged-in worker. Others get the front page. */
async function isWorkers(): Promise<boolean> {
  if (/\bMobi/.test(worker.navigator.userAgent)) return true
  const session = await keptDb()
    .then((db) => db.get('answers', SESSION))
    .catch(() => undefined)
  return Boolean((session?.data as { worker?: unknown } | undefined)?.worker)
}

async function file(request: Request, pathname: string): Promise<Response> {
  const shell = await caches.open(SHELL)
  const known = await shell.match(pathname)
  if (known) return known
  if (!LATER_PATHS.test(pathname)) return fetch(request)
  const later = await caches.open(LATER)
  const cached = await later.match(pathname)
  if (cached) return cached
  const fresh = await fetch(request)
  if (fresh.status === 200) await later.put(pathname, fresh.clone())
  return fresh
}

/** Background sync: the network is back, and the app may be closed. If this fails, the browser retries. */
worker.addEventListener('sync', (event) => {
  const { tag, waitUntil } = event as unknown as { tag: string } & Pick<
    ExtendableEvent,
    'waitUntil'
  >
  if (tag === SYNC_TAG) waitUntil.call(event, sendOutbox({ isWoken: true }))
})

worker.addEventListener('push', (event) => {
  event.waitUntil(showPushed(event.data?.json() as Pushed | undefined))
})

async function showPushed(pushed: Pushed | undefined): Promise<void> {
  if (pushed === undefined) return
  const language = await keptDb()
    .then((db) => db.get('settings', 'language'))
    .catch(() => undefined)
  const { title, body, lang, dir } = wordsOf(pushed, language ?? worker.navigator.language)
  await worker.registration.showNotification(title, {
    body,
    lang,
    dir,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    // A repeated notice replaces the first one.
    tag: pushed.notice_id ?? pushed.kind,
    data: { href: noticeLink(pushed) },
  })
  const { setAppBadge } = worker.navigator as { setAppBadge?(count: number): Promise<void> }
  if (pushed.unread > 0) await setAppBadge?.call(worker.navigator, pushed.unread).catch(() => {})
  // If this fails, the next message asks for it again.
  if (pushed.server_key) await renewSubscription().catch(() => {})
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { href } = event.notification.data as { href: string }
  event.waitUntil(open(href))
})

async function open(href: string): Promise<void> {
  const [client] = await worker.clients.matchAll({ type: 'window' })
  if (client === undefined) return void (await worker.clients.openWindow(href))
  await client.focus().catch(() => {})
  await client.navigate(href).catch(() => worker.clients.openWindow(href))
}

/** The browser has changed its push endpoint: tell the server. */
worker.addEventListener('pushsubscriptionchange', (event) => {
  const { oldSubscription, waitUntil } = event as unknown as {
    oldSubscription: PushSubscription | null
  } & Pick<ExtendableEvent, 'waitUntil'>
  waitUntil.call(event, subscribeAgain(oldSubscription))
})

/** The server has a new key, and a subscription is bound to the key it was made with. */
async function renewSubscription(): Promise<void> {
  await subscribeAgain(await worker.registration.pushManager.getSubscription())
}

async function subscribeAgain(old: PushSubscription | null): Promise<void> {
  const { public_key } = await api.get('/worker/push')
  const applicationServerKey = public_key ?? old?.options.applicationServerKey
  if (!applicationServerKey) return
  // Harmless if the browser has already ended it.
  await old?.unsubscribe()
  const subscription = await worker.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey,
  })
  const replaces = old === null ? {} : { replaces: old.endpoint }
  await api.post('/worker/push', { body: { ...addressOf(subscription), ...replaces } })
}
