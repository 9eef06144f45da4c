/** Every app in web/, and how their pages differ. README.md explains how to add one. */
export interface WebApp {
  /** Its folder in web/. */
  name: string
  /** The path prefix of the app's screens. */
  base: string
  /** The page's file name in the build. */
  page: string
  /** The entry script in the app's folder. */
  entry: string
  title: string
  description: string
  noScript: string
  /** Served on a port of its own, never beside the other apps. */
  isApart?: boolean
  /** Additional elements for the page's head. */
  head?: string[]
}

/** Its page is also the service worker's: only this app works offline and can be installed. */
export const WORKER: WebApp = {
  name: 'worker',
  base: '/',
  page: 'index.html',
  entry: 'main.ts',
  title: 'Legwork',
  description: 'Small paid tasks near you. See what you get before you start.',
  noScript: 'Legwork needs JavaScript: please switch it on for this page.',
  head: [
    '<link rel="manifest" href="/manifest.webmanifest" />',
    '<link rel="apple-touch-icon" href="/icon-192.png" />',
  ],
}

export const CONSOLE: WebApp = {
  name: 'console',
  base: '/console',
  page: 'console.html',
  entry: 'main.tsx',
  title: 'Console – Legwork',
  description: 'What your agents have asked of people, what it costs, and what waits for you.',
  noScript: 'The console of Legwork needs JavaScript: please switch it on for this page.',
}

export const OPERATORS: WebApp = {
  name: 'operators',
  base: '/desk',
  page: 'desk.html',
  entry: 'main.tsx',
  title: 'Desk – Legwork',
  description: 'The operators’ desk of Legwork.',
  noScript: 'The desk of Legwork needs JavaScript: please switch it on for this page.',
  isApart: true,
}

/** Build order: the worker app must be first, since the service worker precaches its files and no others. */
export const APPS: [worker: WebApp, ...others: WebApp[]] = [WORKER, CONSOLE, OPERATORS]
