/**
 * The built web app: pages, scripts, styles and icons, each with its compressed variants. All files are read into
 * memory at startup and looked up by exact name, which rules out path traversal. Static files don't count toward rate
 * limits: sending one costs less than counting it.
 *
 * `/` is the front page, or the app for those who work with it (front-door.ts); `/about` is always the front page.
 * Imprint, terms, privacy, help and contact come from legal-pages.ts.
 *
 * Docs pages are served without `.html`: `/docs/money` is `docs/money.html`, next to its Markdown twin `docs/money.md`.
 *
 * Any other path that is neither a file nor part of the API gets the single-page app, or the agents' console below
 * /console. The page's own router decides what to show. The operators' desk is served on its own port alone.
 *
 * Pages that need our public URL or figures from the settings are completed when they are first requested.
 */
import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import { filesOf } from '../files/files.ts'
import { publicUrl } from '../kit/public-url.ts'
import { MAP_PATH } from '../workers/show-app.ts'
import { accepts } from './compress.ts'
import { isKnown } from './etags.ts'
import { DECIDING_HEADERS, opensApp } from './front-door.ts'
import { LEGAL_PATHS, renderLegalPage } from './legal-pages.ts'
import { sendMap } from './map.ts'
import { factsOf, fillFacts } from './page-facts.ts'
import { fillHead, HEAD_MARK } from './page-head.ts'
import { type Page, show } from './page-layout.ts'
import { renderRobots, renderSiteMap } from './site-map.ts'

const BUILT = path.join(import.meta.dirname, '../../../web/dist')
const PAGE = '/index.html'
const FRONT_PAGE = '/front.html'
const ABOUT = '/about'
/** The layout of legal-pages.ts. */
const LEGAL_LAYOUT = '/legal.html'
const TEMPLATES = [FRONT_PAGE, LEGAL_LAYOUT]
const DOCS = '/docs'
const NO_SUCH_DOCS = `${DOCS}/404.html`
/** A separate app that shares only the design with the workers' app. */
const CONSOLE_PAGE = '/console.html'
const DESK_PAGE = '/desk.html'
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
  '.xml': 'application/xml; charset=utf-8',
}

/** The screens of the app that search engines list; the others need a login, or belong to one person. */
const LISTED_SCREENS: Record<string, { title: string; description: string }> = {
  '/hello': {
    title: 'Get paid for small tasks near you – Legwork',
    description:
      'Photograph, check, call or give your opinion. You see what you get before you start, and the money is already ' +
      'set aside.',
  },
  '/join': {
    title: 'Join Legwork',
    description: 'Join for free and get paid for small tasks near you, with your phone.',
  },
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

interface Sent {
  status?: number
  /** Overrides the file's own. */
  cacheControl?: string
  vary?: string
  /** Whether search engines may list it. */
  isListed?: boolean
}

export function openWeb(config: Config) {
  const files = publicFiles(filesFor(config))
  const pages = openPages(files, config)
  const headers = headersOf(config)
  const sendWith = (file: File, asked: IncomingHttpHeaders, sent?: Sent) => (reply: FastifyReply) =>
    sendFile(reply.headers(headers), file, asked, sent)

  return {
    /** Returns how to respond if the request is for the web app, otherwise undefined. */
    find({ method, url, headers: asked }: Asked): Send | undefined {
      const address = addressOf(url)
      if (!['GET', 'HEAD'].includes(method) || isOfApi(address)) return undefined
      if (address === MAP_PATH && config.MAP_TILES_FILE !== undefined)
        return (reply) => sendMap(reply.headers(headers), config.MAP_TILES_FILE!, asked)
      const front = pages.front()
      if (front && address === '/' && !opensApp({ url, headers: asked }))
        return sendWith(front, asked, AT_ROOT)
      if (front && address === ABOUT) return sendWith(front, asked)
      const file =
        pages.made(address) ??
        (address === '/' ? pages.app(address) : fileAt(files, address)) ??
        pages.docs(address, asked)
      if (file) return sendWith(file, asked, address === '/' ? AT_ROOT : undefined)
      // A request for a script that no longer exists must not get an HTML page.
      if (/^(?:\/docs)?\/assets\//.test(address) || !wantsPage(asked)) return undefined
      const lost = isOfDocs(address) ? files.get(NO_SUCH_DOCS) : undefined
      if (lost) return sendWith(lost, asked, { status: 404, isListed: false })
      const page = isOfConsole(address) ? files.get(CONSOLE_PAGE) : pages.app(address)
      if (page === undefined) return (reply) => show(reply, 404, notBuilt)
      const isOfLink = OF_MAILED_LINKS.includes(address.replace(/\/$/, ''))
      return sendWith(page, asked, {
        ...(isOfLink ? { cacheControl: 'no-store' } : {}),
        isListed: LISTED_SCREENS[address] !== undefined,
      })
    },
  }
}

/** The desk's page and its files, and nothing else. */
export function openDeskWeb(config: Config) {
  const files = filesFor(config)
  const headers = headersOf(config)
  return {
    find({ method, url, headers: asked }: Asked): Send | undefined {
      const address = addressOf(url)
      if (!['GET', 'HEAD'].includes(method) || address.startsWith('/desk/api/')) return undefined
      if (address === '/') return (reply) => reply.redirect('/desk')
      const file = isOfDesk(address) || address === '/icon.svg' ? files.get(address) : undefined
      const page = isOfDesk(address) && wantsPage(asked) ? files.get(DESK_PAGE) : undefined
      const found = file ?? page
      if (found === undefined) return undefined
      return (reply) =>
        sendFile(reply.headers(headers), found, asked, {
          isListed: false,
          ...(file === undefined ? { cacheControl: 'no-store' } : {}),
        })
    },
  }
}

const filesFor = (config: Config) =>
  config.WEB_DIR === undefined ? builtFiles() : readFiles(config.WEB_DIR)

/** The desk's page, its addresses and its files. */
const isOfDesk = (address: string) =>
  address === DESK_PAGE || /^\/(?:assets\/)?desk(?:\/|$)/.test(address)

const publicFiles = (files: Map<string, File>) =>
  new Map([...files].filter(([name]) => !isOfDesk(name)))

/** A shared cache must not give one visitor's page to another; `private` also stops caches that ignore `Vary`. */
const AT_ROOT: Sent = { cacheControl: 'private, no-cache', vary: DECIDING_HEADERS }

/** Layouts are no pages of their own. */
const fileAt = (files: Map<string, File>, address: string) =>
  TEMPLATES.includes(address) ? undefined : files.get(address)

/** Pages with values of this server, completed on first use: tests start hundreds of servers. */
function openPages(files: Map<string, File>, config: Config) {
  const known = new Map<string, File | undefined>()
  const once = (name: string, make: () => File | undefined): File | undefined => {
    if (!known.has(name)) known.set(name, make())
    return known.get(name)
  }
  const textOf = (name: string) => files.get(name)?.forms.at(-1)!.bytes.toString()
  const our = publicUrl(config)
  /** A page with its head completed; the file itself if its head has no mark. */
  const withHead = (name: string, visit: Omit<Parameters<typeof fillHead>[1], 'publicUrl'>) => {
    // Addresses are the visitor's to choose, so only those of files are remembered.
    if (!files.has(name)) return undefined
    return once(`${name} ${visit.path ?? ''}`, () => {
      const text = textOf(name)!
      if (!text.includes(HEAD_MARK)) return files.get(name)
      return makeFile(fillHead(text, { publicUrl: our, ...visit }))
    })
  }

  return {
    front: () =>
      once(FRONT_PAGE, () => {
        const text = textOf(FRONT_PAGE)
        if (text === undefined) return undefined
        const head = fillHead(text, { publicUrl: our, path: '/' })
        return makeFile(fillFacts(head, factsOf(config)))
      }),

    app: (address: string) =>
      LISTED_SCREENS[address] === undefined
        ? withHead(PAGE, {})
        : withHead(PAGE, { path: address, ...LISTED_SCREENS[address] }),

    /** Clients that prefer Markdown over HTML get the Markdown twin. */
    docs(address: string, asked: IncomingHttpHeaders): File | undefined {
      if (!isOfDocs(address)) return undefined
      const bare = address.replace(/\/$/, '')
      const name = bare === DOCS ? `${DOCS}/index` : bare
      const isForProgram = /\btext\/markdown\b/i.test(asked.accept ?? '') && !wantsPage(asked)
      return isForProgram ? files.get(`${name}.md`) : withHead(`${name}.html`, { path: bare })
    },

    /** Pages and files that only the server can write. */
    made(address: string): File | undefined {
      if (address === '/robots.txt')
        return once(address, () => makeFile(renderRobots(our), { extension: '.txt' }))
      if (!files.has(LEGAL_LAYOUT)) return undefined
      if (address === '/sitemap.xml')
        return once(address, () =>
          makeFile(renderSiteMap(our, listedPaths(files)), { extension: '.xml' }),
        )
      if (!LEGAL_PATHS.includes(address)) return undefined
      return once(address, () =>
        makeFile(renderLegalPage(address, { layout: textOf(LEGAL_LAYOUT)!, config })),
      )
    },
  }
}

const listedPaths = (files: Map<string, File>) => [
  '/',
  ...Object.keys(LISTED_SCREENS),
  ...[...files.keys()]
    .filter((name) => isOfDocs(name) && name.endsWith('.html') && name !== NO_SUCH_DOCS)
    .map((name) => name.replace(/(?:\/index)?\.html$/, ''))
    .sort(),
  ...LEGAL_PATHS,
]

/** Larger pages are packed less tightly, because the first visitor waits for it. */
const BYTES_PRESSED_MAX = 100_000
const BROTLI_USUAL = 5

function makeFile(text: string, { extension = '.html' } = {}): File {
  const plain = Buffer.from(text)
  const quality = plain.length > BYTES_PRESSED_MAX ? BROTLI_USUAL : constants.BROTLI_MAX_QUALITY
  const brotli = brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality },
  })
  return {
    type: TYPES[extension]!,
    cacheControl: 'no-cache',
    forms: [formOf('br', brotli), formOf('gzip', gzipSync(plain)), formOf(undefined, plain)],
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

const isOfConsole = (address: string) => /^\/console(?:\/|$)/.test(address)

/** Browsers name text/html when they navigate; scripts and API clients accept anything. */
const wantsPage = ({ accept }: IncomingHttpHeaders) => /\btext\/html\b/i.test(accept ?? '')

function sendFile(
  reply: FastifyReply,
  file: File,
  asked: IncomingHttpHeaders,
  { status = 200, cacheControl = file.cacheControl, vary, isListed = true }: Sent = {},
): FastifyReply {
  // The plain form is sent even to a client that refuses `identity`: such a client is broken.
  const form = file.forms.find(
    ({ encoding }) => encoding === undefined || accepts(asked['accept-encoding'], encoding),
  )!
  reply.headers({
    'cache-control': cacheControl,
    etag: form.etag,
    vary: ['accept, accept-encoding', vary].filter(Boolean).join(', '),
    ...(isListed ? {} : { 'x-robots-tag': 'noindex' }),
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
  const read = (from: string) => readFileSync(path.join(folder, from))
  const compressed = ENCODINGS.filter(({ extension }) => known.has(name + extension))
  return {
    type: TYPES[path.extname(name)] ?? 'application/octet-stream',
    // Assets have a content hash in their name and never change.
    cacheControl: /^(?:docs\/)?assets\//.test(name)
      ? 'public, max-age=31536000, immutable'
      : 'no-cache',
    forms: [
      ...compressed.map(({ name: encoding, extension }) =>
        formOf(encoding, read(name + extension)),
      ),
      formOf(undefined, read(name)),
    ],
  }
}

const formOf = (encoding: string | undefined, bytes: Buffer): Form => ({
  encoding,
  bytes,
  etag: `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`,
})

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
