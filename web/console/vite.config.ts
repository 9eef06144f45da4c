/** The agents' console: an app of its own, so that the workers' does not grow with it. */
import path from 'node:path'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [react(), tailwind()],
  build: {
    target: 'es2022',
    assetsDir: 'assets/console',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: path.join(import.meta.dirname, 'console.html') },
  },
})
