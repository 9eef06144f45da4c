/** Every app of web/, with what differs between their pages. README.md says how to add one. */
export interface WebApp {
  /** Its folder in web/. */
  name: string
  /** The path below which every address is a screen of the app. */
  base: string
  /** The page's file in the build. */
  page: string
  /** The first script, in the app's folder. */
  entry: string
  title: string
  description: string
  noScript: string
  /** Further elements of the page's head. */
  head?: string[]
}

/** Its page is also the service worker's: it is the only app that works offline and can be installed. */
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

/** Built in this order: the service worker knows the files of the first app and of no other. */
export const APPS: [worker: WebApp, ...others: WebApp[]] = [WORKER, CONSOLE]
