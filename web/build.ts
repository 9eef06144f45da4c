/**
 * `npm run build` writes web/dist, which the server serves. It builds the worker app, then its service worker, which
 * precaches the app's files, then the other apps, the front page and the docs, which the service worker must not cache.
 * It also writes a compressed copy of each file. Parts whose sources haven't changed are copied from the previous
 * build.
 */
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { build } from 'vite'
import { buildDocs, DOCS_FILES, docsSources } from './docs/build.ts'
import { buildFront, frontSources } from './front/build.ts'
import { APPS, type WebApp } from './shared/build/apps.ts'

const ROOT = import.meta.dirname
const DIST = path.join(ROOT, 'dist')
/** Build into a temporary folder, so that the server keeps serving the complete old build meanwhile. */
const NEXT = path.join(ROOT, `dist.${process.pid}`)
const [WORKER, ...OTHERS] = APPS
const configOf = ({ name }: WebApp) => path.join(ROOT, name, 'vite.config.ts')
const SERVICE_WORKER = path.join(ROOT, 'worker/sw.ts')
const COMPRESSED = /\.(?:html|js|mjs|css|svg|json|webmanifest|md|txt)$/
/** Not precached, but cached on first use: most workers never open the map. */
const LATER = /\/(?:map|maplibre|world|towns|region|en-xa)[^/]*$|\.(?:png|txt)$/
const BYTES_MIN = 1024
/**
 * Smaller files get the strongest compression, since phones pay for each byte; for larger ones it isn't worth the time.
 */
const BYTES_PRESSED_MAX = 500_000
const BROTLI_USUAL = 8

/** Builds the parts whose sources have changed since the last build. */
export async function buildWeb({ isQuiet = false } = {}): Promise<void> {
  const lock = path.join(ROOT, '..', 'package-lock.json')
  const now = [hashOf([...sourceFiles(), lock]), hashOf([...docsSources(), lock])]
  const mark = path.join(DIST, '.built')
  const before = existsSync(mark) ? readFileSync(mark, 'utf8').split('\n') : []
  const [hasApp, hasDocs] = now.map((hash, i) => hash === before[i])
  if (hasApp && hasDocs) return
  rmSync(NEXT, { recursive: true, force: true })
  const { NODE_ENV } = process.env
  const logLevel = isQuiet ? 'error' : 'info'
  if (hasApp) takeOver((name) => !isOfDocs(name))
  else {
    const buildApp = (app: WebApp) =>
      build({
        configFile: configOf(app),
        logLevel,
        build: { outDir: NEXT, emptyOutDir: app === WORKER },
      })
    await buildApp(WORKER)
    await drawIcons()
    await buildServiceWorker(logLevel)
    // Must run after the service worker is built, which precaches every file that it finds.
    for (const app of OTHERS) await buildApp(app)
    await buildFront(NEXT)
  }
  if (hasDocs) takeOver(isOfDocs)
  else await buildDocs(NEXT)
  // Vite leaves NODE_ENV set to `production`, which a server started by our caller would inherit.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = NODE_ENV
  compressAll()
  writeFileSync(path.join(NEXT, '.built'), now.join('\n'))
  rmSync(DIST, { recursive: true, force: true })
  renameSync(NEXT, DIST)
}

const isOfDocs = (name: string) => DOCS_FILES.includes(name.replace(/\.(?:br|gz)$/, ''))

function takeOver(isWanted: (name: string) => boolean): void {
  mkdirSync(NEXT, { recursive: true })
  for (const name of readdirSync(DIST).filter((one) => isWanted(one)))
    cpSync(path.join(DIST, name), path.join(NEXT, name), { recursive: true })
}

const sourceFiles = () =>
  globSync(
    [...APPS.map(({ name }) => name), 'shared']
      .map((folder) => `${folder}/**/*`)
      .concat('*.{ts,json}'),
    { cwd: ROOT, withFileTypes: true },
  )
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .concat(frontSources())
    .sort()

function hashOf(files: string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(path.relative(ROOT, file)).update(readFileSync(file))
  return hash.digest('hex')
}

async function drawIcons(): Promise<void> {
  const icon = readFileSync(path.join(ROOT, 'worker/public/icon.svg'))
  const draw = (size: number) => sharp(icon, { density: 72 * (size / 32) }).resize(size, size)
  await draw(192).png().toFile(path.join(NEXT, 'icon-192.png'))
  await draw(512).png().toFile(path.join(NEXT, 'icon-512.png'))
  // A phone may crop a maskable icon to any shape, so the logo stays within the inner 80%.
  const inner = await draw(384).png().toBuffer()
  await sharp({ create: { width: 512, height: 512, channels: 4, background: '#0a6b4a' } })
    .composite([{ input: inner }])
    .png()
    .toFile(path.join(NEXT, 'icon-maskable.png'))
}

/** Builds a single file, since not every browser supports imports in a service worker. */
async function buildServiceWorker(logLevel: 'error' | 'info'): Promise<void> {
  const files = globSync('**/*', { cwd: NEXT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `/${path.relative(NEXT, path.join(entry.parentPath, entry.name))}`)
    .filter((file) => !LATER.test(file) && file !== '/index.html')
    .sort()
  const version = hashOf(
    files.map((file) => path.join(NEXT, file)).concat(path.join(NEXT, 'index.html')),
  )
  await build({
    configFile: configOf(WORKER),
    logLevel,
    publicDir: false,
    define: {
      PRECACHE: JSON.stringify(['/index.html', ...files]),
      VERSION: JSON.stringify(version.slice(0, 16)),
      OTHER_APPS: JSON.stringify(OTHERS.filter(({ isApart }) => !isApart).map(({ base }) => base)),
    },
    build: {
      outDir: NEXT,
      emptyOutDir: false,
      rolldownOptions: { input: SERVICE_WORKER, output: { codeSplitting: false } },
      lib: {
        entry: SERVICE_WORKER,
        formats: ['iife'],
        name: 'sw',
        fileName: () => 'sw.js',
      },
    },
  })
}

function compressAll(): void {
  for (const file of globSync('**/*', { cwd: NEXT })) {
    const whole = path.join(NEXT, file)
    if (!COMPRESSED.test(file) || existsSync(`${whole}.br`)) continue
    const bytes = readFileSync(whole)
    if (bytes.length < BYTES_MIN) continue
    const quality = bytes.length > BYTES_PRESSED_MAX ? BROTLI_USUAL : constants.BROTLI_MAX_QUALITY
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
    writeFileSync(`${whole}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${whole}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

if (import.meta.main) await buildWeb()
