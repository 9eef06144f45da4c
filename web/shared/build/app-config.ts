import path from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { mergeConfig, type UserConfig } from 'vite'
import { APPS, type WebApp } from './apps.ts'
import { pageFile, pages, WEB } from './page.ts'

/** The API server: run `npm run dev` first, then `npm run dev:web` for pages with hot reload. */
const SERVER = process.env.LEGWORK_URL || 'http://127.0.0.1:8080'
/** The operators' desk has a port of its own. */
const DESK = process.env.LEGWORK_DESK_URL || 'http://localhost:8081'

/** The Vite configuration of an app; `own` is what differs for this one. */
export const appConfig = (app: WebApp, own: UserConfig = {}): UserConfig =>
  mergeConfig(
    {
      root: WEB,
      publicDir: false,
      plugins: [react(), tailwind(), pages()],
      build: {
        target: 'es2022',
        assetsDir: path.posix.join('assets', app.base.slice(1)),
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: { input: pageFile(app) },
      },
      optimizeDeps: { entries: APPS.map(({ name, entry }) => `${name}/${entry}`) },
      server: { proxy: { '/api': SERVER, '/desk/api': DESK, '/map/streets.pmtiles': SERVER } },
    },
    own,
  )
