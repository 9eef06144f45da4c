/**
 * `npm run build`: the app in web/dist, as the server serves it. First the app, then the service worker, which knows
 * the names of all its files, then the agents' console, then a compressed twin of each file.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { build } from 'vite'

const ROOT = import.meta.dirname
const DIST = path.join(ROOT, 'dist')
/** Whoever is served meanwhile gets the old build, whole. */
const NEXT = path.join(ROOT, `dist.${process.pid}`)
const CONFIG = path.join(ROOT, 'vite.config.ts')
const CONSOLE_CONFIG = path.join(ROOT, 'console.config.ts')
const COMPRESSED = /\.(?:html|js|mjs|css|svg|json|webmanifest)$/
/** Fetched when asked for, and kept from then on: most workers never open the map. */
const LATER = /\/(?:map|maplibre|world|region|en-xa)[^/]*$|\.png$/
const BYTES_MIN = 1024

/** Builds unless what is there was built of the same sources. */
export async function buildWeb({ isQuiet = false } = {}): Promise<void> {
  const source = hashOf([...sourceFiles(), path.join(ROOT, '..', 'package-lock.json')])
  const mark = path.join(DIST, '.built')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === source) return
  rmSync(NEXT, { recursive: true, force: true })
  const { NODE_ENV } = process.env
  const logLevel = isQuiet ? 'error' : 'info'
  await build({ configFile: CONFIG, logLevel, build: { outDir: NEXT, emptyOutDir: true } })
  await drawIcons()
  await buildServiceWorker(logLevel)
  // After the service worker, which is to know nothing of it.
  await build({
    configFile: CONSOLE_CONFIG,
    logLevel,
    build: { outDir: NEXT, emptyOutDir: false },
  })
  // Vite leaves `production` behind, which a server that our caller starts would take for itself.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  else process.env.NODE_ENV = NODE_ENV
  compressAll()
  writeFileSync(path.join(NEXT, '.built'), source)
  rmSync(DIST, { recursive: true, force: true })
  renameSync(NEXT, DIST)
}

const sourceFiles = () =>
  globSync(['src/**/*', 'public/**/*', '*.{ts,html,json}'], { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()

function hashOf(files: string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(path.relative(ROOT, file)).update(readFileSync(file))
  return hash.digest('hex')
}

async function drawIcons(): Promise<void> {
  const icon = readFileSync(path.join(ROOT, 'public/icon.svg'))
  const draw = (size: number) => sharp(icon, { density: 72 * (size / 32) }).resize(size, size)
  await draw(192).png().toFile(path.join(NEXT, 'icon-192.png'))
  await draw(512).png().toFile(path.join(NEXT, 'icon-512.png'))
  // A phone may cut a maskable icon to any shape: the mark stays within the inner four fifths.
  const inner = await draw(384).png().toBuffer()
  await sharp({ create: { width: 512, height: 512, channels: 4, background: '#0a6b4a' } })
    .composite([{ input: inner }])
    .png()
    .toFile(path.join(NEXT, 'icon-maskable.png'))
}

/** One file without imports, since not every browser lets a service worker have any. */
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
    configFile: CONFIG,
    logLevel,
    publicDir: false,
    define: {
      PRECACHE: JSON.stringify(['/', ...files]),
      VERSION: JSON.stringify(version.slice(0, 16)),
    },
    build: {
      outDir: NEXT,
      emptyOutDir: false,
      rolldownOptions: { output: { codeSplitting: false } },
      lib: {
        entry: path.join(ROOT, 'src/sw.ts'),
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
    if (!COMPRESSED.test(file)) continue
    const bytes = readFileSync(whole)
    if (bytes.length < BYTES_MIN) continue
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(`${whole}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${whole}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

if (import.meta.main) await buildWeb()
