import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { world } from './geo.ts'
import { messages } from './messages.ts'
import { preloadStart } from './preload.ts'

/** The API of a server beside it: `npm run dev` first, then `npm run dev:web` for pages that follow the code. */
const SERVER = process.env.LEGWORK_URL || 'http://127.0.0.1:8080'

/** The console is built apart, and shown beside the app while one works on either. */
const consolePages: Plugin = {
  name: 'legwork:console-pages',
  configureServer({ middlewares }) {
    middlewares.use((request, _, next) => {
      if (/^\/console(?:[/?]|$)/.test(request.url ?? '')) request.url = '/console.html'
      next()
    })
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), messages(), world(), preloadStart(), consolePages],
  resolve: {
    alias: {
      // Messages are parsed when the app is built; the phone gets none of the parser.
      '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
    },
  },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All that the first list of tasks needs is one file: each further one costs a cheap phone a kilobyte of headers,
    // and what is compressed together is smaller. The first script stays apart: it runs before that one is there.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'main',
              test: /\/web\/src\/(?:main|theme|api|text\/languages)\.ts$/,
              priority: 2,
            },
            { name: 'start', test: /\/web\/src\/start\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': SERVER, '/map/streets.pmtiles': SERVER } },
})
