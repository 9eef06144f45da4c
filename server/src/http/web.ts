/**
 * The built web app: pages, scripts, styles and icons, each with its compressed variants. All files are read into
 * memory at startup and looked up by exact name, which rules out path traversal. Static files don't count toward rate
 * limits: sending one costs less than counting it.
 *
 * Docs pages are served without `.html`: `/docs/money` is `docs/money.html`, next to its Markdown twin `docs/money.md`.
 *
 * Any other path that is neither a file nor part of the API gets the single-page app, or the agents' console below
 * /console. The page's own router decides what to show.
 */
import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import type { FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import { filesOf } from '../files/files.ts'
import { publicUrl } from '../kit/public-url.ts'
import { MAP_PATH } from '../workers/show-app.ts'
import { accepts } from './compress.ts'
import { isKnown } from './etags.ts'
import { sendMap } from './map.ts'
import { type Page, show } from './page-layout.ts'

const BUILT = path.join(import.meta.dirname, '../../../web/dist')
const PAGE = '/index.html'
const DOCS = '/docs'
const NO_SUCH_DOCS = `${DOCS}/404.html`
/** A separate app that shares only the design with the workers' app. */
const CONSOLE_PAGE = '/console.html'
/** These pages show an API key, so the browser must not keep a copy for the back button. */
const OF_MAILED_LINKS = ['/console/recover', '/console/verify']

/** In order of preference. */
const ENCODINGS = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.pbf': 'application/x-protobuf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

interface Form {
  encoding: string | undefined
  bytes: Buffer
  etag: string
}

interface File {
  type: string
  cacheControl: string
  /** Compressed forms first, the plain one last. */
  forms: Form[]
}

interface Asked {
  method: string
  url: string
  headers: IncomingHttpHeaders
}

export type Send = (reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

export function openWeb(config: Config) {
  const files = config.WEB_DIR === undefined ? builtFiles() : readFiles(config.WEB_DIR)
  const headers = headersOf(config)

  return {
    /** Returns how to respond if the request is for the web app, otherwise undefined. */
    find({ method, url, headers: asked }: Asked): Send | undefined {
      const address = addressOf(url)
      if (!['GET', 'HEAD'].includes(method) || isOfApi(address)) return undefined
      if (address === MAP_PATH && config.MAP_TILES_FILE !== undefined)
        return (reply) => sendMap(reply.headers(headers), config.MAP_TILES_FILE!, asked)
      const file = files.get(address === '/' ? PAGE : address) ?? docsPage(files, address, asked)
      if (file) return (reply) => sendFile(reply.headers(headers), file, asked)
      // A request for a script that no longer exists must not get an HTML page.
      if (/^(?:\/docs)?\/assets\//.test(address) || !wantsPage(asked)) return undefined
      const lost = isOfDocs(address) ? files.get(NO_SUCH_DOCS) : undefined
      if (lost) return (reply) => sendFile(reply.headers(headers), lost, asked, { status: 404 })
      const page = files.get(isOfConsole(address) ? CONSOLE_PAGE : PAGE)
      if (page === undefined) return (reply) => show(reply, 404, notBuilt)
      const isOfLink = OF_MAILED_LINKS.includes(address.replace(/\/$/, ''))
      return (reply) => sendFile(reply.headers(headers), page, asked, { isStored: !isOfLink })
    },
  }
}

let built: { mark: string; files: Map<string, File> } | undefined

/** One copy per process, because tests start hundreds of servers; reloaded after a new build. */
function builtFiles(): Map<string, File> {
  const mark = path.join(BUILT, '.built')
  const now = existsSync(mark) ? readFileSync(mark, 'utf8') : ''
  if (built === undefined || built.mark !== now) built = { mark: now, files: readFiles(BUILT) }
  return built.files
}

/** Does not throw: malformed escapes were rejected earlier. */
const addressOf = (url: string) => decodeURIComponent(url.split('?')[0]!)

const isOfApi = (address: string) => /^\/api(?:\/|$)/.test(address)

const isOfDocs = (address: string) => /^\/docs(?:\/|$)/.test(address)

/** Clients that prefer Markdown over HTML get the Markdown twin. */
function docsPage(files: Map<string, File>, address: string, asked: IncomingHttpHeaders) {
  if (!isOfDocs(address)) return undefined
  const bare = address.replace(/\/$/, '')
  const name = bare === DOCS ? `${DOCS}/index` : bare
  const isForProgram = /\btext\/markdown\b/i.test(asked.accept ?? '') && !wantsPage(asked)
  return files.get(`${name}${isForProgram ? '.md' : '.html'}`)
}
const isOfConsole = (address: string) => /^\/console(?:\/|$)/.test(address)

/** Browsers name text/html when they navigate; scripts and API clients accept anything. */
const wantsPage = ({ accept }: IncomingHttpHeaders) => /\btext\/html\b/i.test(accept ?? '')

function sendFile(
  reply: FastifyReply,
  file: File,
  asked: IncomingHttpHeaders,
  { status = 200, isStored = true } = {},
): FastifyReply {
  // The plain form is sent even to a client that refuses `identity`: such a client is broken.
  const form = file.forms.find(
    ({ encoding }) => encoding === undefined || accepts(asked['accept-encoding'], encoding),
  )!
  reply.headers({
    'cache-control': isStored ? file.cacheControl : 'no-store',
    etag: form.etag,
    vary: 'accept, accept-encoding',
  })
  if (status === 200 && isKnown(asked['if-none-match'], form.etag)) return reply.code(304).send()
  if (form.encoding !== undefined) reply.header('content-encoding', form.encoding)
  return reply.code(status).header('content-type', file.type).send(form.bytes)
}

/** Keyed by path from the root: `/assets/main-4f2a.js`. Skips symbolic links and hidden files. */
function readFiles(folder: string): Map<string, File> {
  const names = namesIn(folder)
  const known = new Set(names)
  const isForm = (name: string) =>
    ENCODINGS.some(
      ({ extension }) => name.endsWith(extension) && known.has(name.slice(0, -extension.length)),
    )
  return new Map(
    names
      .filter((name) => !isForm(name))
      .map((name) => [`/${name}`, readFile(folder, name, { known })]),
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
      .map((name) => name.split(path.sep).join('/'))
      .filter((name) => !name.split('/').some((part) => part.startsWith('.')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function readFile(folder: string, name: string, { known }: { known: Set<string> }): File {
  const formOf = (from: string, encoding: string | undefined): Form => {
    const bytes = readFileSync(path.join(folder, from))
    return { encoding, bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"` }
  }
  const compressed = ENCODINGS.filter(({ extension }) => known.has(name + extension))
  return {
    type: TYPES[path.extname(name)] ?? 'application/octet-stream',
    // Assets have a content hash in their name and never change.
    cacheControl: /^(?:docs\/)?assets\//.test(name)
      ? 'public, max-age=31536000, immutable'
      : 'no-cache',
    forms: [
      ...compressed.map(({ name: encoding, extension }) => formOf(name + extension, encoding)),
      formOf(name, undefined),
    ],
  }
}

function headersOf(config: Config): Record<string, string> {
  // Proof files are read from, and uploads sent to, the file store's origin or our own.
  const store = filesOf(config).store.origin
  const own = URL.parse(config.FILES_URL ?? publicUrl(config))?.origin
  const elsewhere = [own, store].filter((origin) => origin !== undefined).join(' ')
  const policy = {
    'default-src': `'none'`,
    'script-src': `'self'`,
    'style-src': `'self'`,
    'img-src': `'self' blob: data: ${elsewhere}`,
    'media-src': `'self' blob: ${elsewhere}`,
    'connect-src': `'self' ${elsewhere}`,
    'font-src': `'self'`,
    'worker-src': `'self' blob:`,
    'manifest-src': `'self'`,
    'form-action': `'self'`,
    'frame-ancestors': `'none'`,
    'base-uri': `'none'`,
  }
  return {
    'content-security-policy': Object.entries(policy)
      .map(([name, sources]) => `${name} ${sources}`)
      .join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(self), microphone=(self), geolocation=(self)',
    // URLs of emailed links contain tokens.
    'referrer-policy': 'no-referrer',
  }
}

const notBuilt: Page = {
  title: 'The app is not built yet',
  content: `<p>This server runs the API, but the app has not been built.</p>
<p>Next: run <code>npm run build</code> and restart the server.</p>`,
}
