/** The HTML page of an app, from one template with the values in `apps.ts`. */
import path from 'node:path'
import type { Plugin } from 'vite'
import { APPS, type WebApp } from './apps.ts'

export const WEB = path.join(import.meta.dirname, '../..')

/** Where Vite looks for an app's page. The file doesn't exist: the `pages` plugin generates it. */
export const pageFile = ({ page }: WebApp) => path.join(WEB, page)

/** Vite plugin that generates the apps' pages, for builds and the dev server. */
export function pages(): Plugin {
  const appOf = (file: string) => APPS.find((app) => pageFile(app) === file)
  return {
    name: 'legwork:pages',
    enforce: 'pre',
    resolveId: (id) => (appOf(id) === undefined ? null : id),
    load(id) {
      const app = appOf(id)
      return app === undefined ? null : renderPage(app)
    },
    configureServer(server) {
      server.middlewares.use((request, response, pass) => {
        const url = request.url ?? '/'
        const isPage =
          request.headers.accept?.includes('text/html') && !/^\/(?:desk\/)?api\//.test(url)
        if (!isPage) return pass()
        server
          .transformIndexHtml(url, renderPage(appAt(url)))
          .then((html) => response.setHeader('content-type', 'text/html').end(html))
          .catch((error: unknown) => pass(error))
      })
    },
  }
}

/** The app that an address belongs to: the worker app if no other one matches. */
function appAt(url: string): WebApp {
  const [worker, ...others] = APPS
  const { pathname } = new URL(url, 'http://localhost')
  return others.find(({ base }) => `${pathname}/`.startsWith(`${base}/`)) ?? worker
}

function renderPage({ name, entry, title, description, noScript, head = [] }: WebApp): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="#f6f7f5" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#0d1411" media="(prefers-color-scheme: dark)" />
    <!--page--><title>${title}</title>
    <meta name="description" content="${description}" /><!--/page-->
    <!-- React Aria would add a style element of this id, which our policy forbids; base.css has its rule. -->
    <meta id="react-aria-pressable-style" />
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
${head.map((element) => `    ${element}\n`).join('')}  </head>
  <body>
    <div id="app"></div>
    <noscript>${noScript}</noscript>
    <script type="module" src="/${name}/${entry}"></script>
  </body>
</html>
`
}
