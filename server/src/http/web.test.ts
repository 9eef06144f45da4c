import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { marketplace, startOn } from '../../test/harness.ts'
import { signUp } from '../../test/people.ts'
import { openAuthenticator } from '../agents/authenticate.ts'
import { openConsoleSessions } from '../agents/console-sessions.ts'
import { filesOf } from '../files/files.ts'
import { openS3Store } from '../files/store-s3.ts'
import { openSessions } from '../workers/authenticate.ts'
import { openSwitches } from '../kit/switches.ts'
import { tokensOf } from '../workers/tokens.ts'
import { openLargeBodies } from './large-bodies.ts'
import { policies } from './limits.ts'
import { buildServer } from './server.ts'

const PAGE =
  '<!doctype html><title>Legwork</title><script type="module" src="/assets/main-4f2a.js"></script>'
const CONSOLE_PAGE = '<!doctype html><title>Console</title>'
const DESK_PAGE = '<!doctype html><title>Desk</title>'
const SCRIPT = `document.title = '${'legwork '.repeat(100)}'`

const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-web-'))
after(() => rmSync(folder, { recursive: true }))
const dist = path.join(folder, 'dist')
mkdirSync(path.join(dist, 'assets'), { recursive: true })
mkdirSync(path.join(dist, '.vite'))
const write = (name: string, bytes: string | Buffer) => writeFileSync(path.join(dist, name), bytes)
for (const [name, content] of [
  ['index.html', PAGE],
  ['assets/main-4f2a.js', SCRIPT],
] as const) {
  write(name, content)
  write(`${name}.br`, brotliCompressSync(content))
  write(`${name}.gz`, gzipSync(content))
}
write('console.html', CONSOLE_PAGE)
write('desk.html', DESK_PAGE)
mkdirSync(path.join(dist, 'assets/desk'))
write('assets/desk/main-1b2c.js', SCRIPT)
write('sw.js', 'self.skipWaiting()')
write('manifest.webmanifest', '{}')
write('assets/only.gz', 'a file of this name, and not the form of another')
write('with space.txt', 'here')
write('.vite/manifest.json', '{}')
write('llms.txt', '# Legwork')
mkdirSync(path.join(dist, 'docs/assets'), { recursive: true })
mkdirSync(path.join(dist, 'docs/errors'))
for (const name of ['index', 'money', 'errors', 'errors/no_slot', '404']) {
  write(`docs/${name}.html`, `<title>${name}</title>`)
  write(`docs/${name}.md`, `# ${name}`)
}
write('docs/assets/docs-1a2b.css', 'a {}')
writeFileSync(path.join(folder, 'secret.txt'), 'a secret')
symlinkSync(path.join(folder, 'secret.txt'), path.join(dist, 'linked.txt'))

const market = await marketplace({
  mail: true,
  roles: ['api', 'desk'],
  settings: { WEB_DIR: dist },
})
const { origin } = new URL(market.server.addresses.api!)
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** Returns the raw response: nothing is decoded, no header is added. */
async function open(target: string, headers: Record<string, string> = {}, method = 'GET') {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ host: 'legwork.test', connection: 'close', ...headers })
  socket.write(
    `${method} ${target} HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`,
  )
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk as Buffer)
  const all = Buffer.concat(chunks)
  const end = all.indexOf('\r\n\r\n')
  const [first, ...fields] = all.subarray(0, end).toString().split('\r\n')
  return {
    status: Number(first!.split(' ')[1]),
    headers: new Headers(
      fields.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
    ),
    bytes: all.subarray(end + 4),
  }
}

describe('the console', () => {
  for (const target of ['/console', '/console/', '/console/tasks/task_1?tab=proof'])
    test(`is served at ${target}, under the same policy`, async () => {
      const { status, headers, bytes } = await open(target, HTML)

      assert.equal(status, 200)
      assert.equal(headers.get('cache-control'), 'no-cache')
      assert.match(headers.get('content-security-policy')!, /script-src 'self'/)
      assert.equal(bytes.toString(), CONSOLE_PAGE)
    })

  test('is not served at other paths with the same prefix', async () => {
    assert.equal((await open('/consoles', HTML)).bytes.toString(), PAGE)
  })
})

describe('the operators’ desk', () => {
  const FILES = ['/desk.html', '/assets/desk/main-1b2c.js']

  test('is served on its own port, with its files and nothing else', async () => {
    const onDesk = (target: string) => fetch(market.desk + target, { headers: HTML })

    for (const target of ['/desk', '/desk/case/dsp_1', '/desk.html']) {
      const page = await onDesk(target)
      assert.equal(page.headers.get('x-robots-tag'), 'noindex')
      assert.equal(await page.text(), DESK_PAGE, target)
    }
    assert.equal(await (await onDesk(FILES[1]!)).text(), SCRIPT)
    for (const target of ['/index.html', '/console.html', '/assets/main-4f2a.js', '/find'])
      assert.equal((await onDesk(target)).status, 404, target)
  })

  test('is not on the public port', async () => {
    for (const target of ['/desk', ...FILES]) {
      const { bytes } = await open(target, HTML)
      assert(!bytes.equals(Buffer.from(DESK_PAGE)) && !bytes.equals(Buffer.from(SCRIPT)), target)
    }
    assert.equal((await open(FILES[1]!, HTML)).status, 404)
  })
})

describe('the app', () => {
  for (const target of ['/', '/index.html', '/find', '/tasks/task_1?tab=brief', '/verify?token=x'])
    test(`is served at ${target}`, async () => {
      const { status, headers, bytes } = await open(target, HTML)

      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
      assert.equal(headers.get('cache-control'), target === '/' ? 'private, no-cache' : 'no-cache')
      assert.equal(bytes.toString(), PAGE)
    })

  for (const target of ['/reset?token=x', '/payouts/return', '/payouts/refresh', '/verify'])
    test(`is the redirect target of ${target}`, async () => {
      assert.equal((await open(target, HTML)).bytes.toString(), PAGE)
    })

  test('responds to HEAD with the same headers and no body', async () => {
    for (const target of ['/', '/find', '/assets/main-4f2a.js']) {
      const [get, head] = [await open(target, HTML), await open(target, HTML, 'HEAD')]

      assert.equal(head.status, 200)
      assert.equal(head.bytes.length, 0)
      for (const name of ['content-type', 'content-length', 'etag', 'cache-control'])
        assert.equal(head.headers.get(name), get.headers.get(name), name)
    }
  })

  test('is not served to clients that do not ask for a page: 404', async () => {
    for (const [target, headers] of [
      ['/find', {}],
      ['/find', { accept: '*/*' }],
      ['/find', { accept: 'application/json' }],
      ['/api', HTML],
      ['/api/', HTML],
      ['/api/v1/nowhere', HTML],
      ['/api/v2/tasks', HTML],
      ['/assets/main-0000.js', HTML],
    ] as [string, Record<string, string>][]) {
      const { status, bytes, headers: sent } = await open(target, headers)

      assert.equal(status, 404, target)
      assert.equal((JSON.parse(bytes.toString()) as { code: string }).code, 'route_not_found')
      assert.equal(sent.get('cache-control'), 'no-store')
    }
  })

  test('does not serve other methods and the server’s own pages', async () => {
    const posted = await open('/find', { ...HTML, 'content-length': '0' }, 'POST')
    const wallet = await open('/wallet', HTML)

    assert.equal(posted.status, 404)
    assert.match(wallet.bytes.toString(), /<h1>Your wallet<\/h1>/)
  })
})

describe('a file of the app', () => {
  for (const [target, type, cache] of [
    [
      '/assets/main-4f2a.js',
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ],
    ['/assets/only.gz', 'application/octet-stream', 'public, max-age=31536000, immutable'],
    ['/sw.js', 'text/javascript; charset=utf-8', 'no-cache'],
    ['/manifest.webmanifest', 'application/manifest+json', 'no-cache'],
    ['/with%20space.txt', 'text/plain; charset=utf-8', 'no-cache'],
  ] as const)
    test(`${target} is ${type}, cached: ${cache}`, async () => {
      const { status, headers } = await open(target)

      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), type)
      assert.equal(headers.get('cache-control'), cache)
      assert.match(headers.get('etag')!, /^"[\w-]{22}"$/)
    })

  for (const [offered, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['br;q=0, gzip;q=0.000', null],
    ['BR', 'br'],
    ['zstd', null],
    ['', null],
  ] as const)
    test(`is encoded as ${encoding ?? 'it is'} for “${offered}”`, async () => {
      const { headers, bytes } = await open('/assets/main-4f2a.js', { 'accept-encoding': offered })

      const decode = { br: brotliDecompressSync, gzip: gunzipSync }
      assert.equal(headers.get('content-encoding'), encoding)
      assert.match(headers.get('vary')!, /accept-encoding/)
      assert.equal(headers.get('content-length'), String(bytes.length))
      assert.equal((encoding ? decode[encoding](bytes) : bytes).toString(), SCRIPT)
    })

  test('304 for the ETag of the same encoding', async () => {
    const br = { 'accept-encoding': 'br' }
    const first = await open('/', { ...HTML, ...br })
    const etag = first.headers.get('etag')!

    const same = await open('/find', { ...HTML, ...br, 'if-none-match': `"x", W/${etag}` })
    const otherForm = await open('/', { ...HTML, 'if-none-match': etag })
    const other = await open('/', { ...HTML, ...br, 'if-none-match': '"x"' })

    assert.equal(same.status, 304)
    assert.equal(same.bytes.length, 0)
    assert.equal(same.headers.get('etag'), etag)
    assert.equal(same.headers.get('cache-control'), 'no-cache')
    assert.deepEqual([otherForm.status, other.status], [200, 200])
  })

  for (const target of [
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '//secret.txt',
    '/./../secret.txt',
    '/linked.txt',
    '/.vite/manifest.json',
    '/assets',
    '/assets/main-4f2a.js.br',
    '/__proto__',
    '/constructor',
  ])
    test(`is not served at ${target}`, async () => {
      const { status, bytes } = await open(target)

      assert.equal(status, 404)
      assert(!bytes.toString().includes('a secret'))
    })
})

describe('the docs', () => {
  for (const [target, name] of [
    ['/docs', 'index'],
    ['/docs/', 'index'],
    ['/docs/money', 'money'],
    ['/docs/money/', 'money'],
    ['/docs/money?from=mail', 'money'],
    ['/docs/errors', 'errors'],
    ['/docs/errors/no_slot', 'errors/no_slot'],
  ] as const)
    test(`${target} is the page ${name}, for browsers and programs alike`, async () => {
      for (const headers of [HTML, {}, { accept: '*/*' }]) {
        const { status, bytes, headers: sent } = await open(target, headers)

        assert.equal(status, 200)
        assert.equal(sent.get('content-type'), 'text/html; charset=utf-8')
        assert.equal(bytes.toString(), `<title>${name}</title>`)
      }
    })

  test('have a Markdown version, by name or by Accept header', async () => {
    for (const [target, headers] of [
      ['/docs/money.md', HTML],
      ['/docs/money.md', {}],
      ['/docs/money', { accept: 'text/markdown, */*;q=0.1' }],
    ] as [string, Record<string, string>][]) {
      const { status, bytes, headers: sent } = await open(target, headers)

      assert.equal(status, 200)
      assert.equal(sent.get('content-type'), 'text/markdown; charset=utf-8')
      assert.equal(bytes.toString(), '# money')
    }
    const llms = await open('/llms.txt', HTML)
    assert.equal(llms.headers.get('content-type'), 'text/plain; charset=utf-8')
  })

  test('have their own 404 page', async () => {
    const { status, bytes, headers } = await open('/docs/nowhere', HTML)
    const again = await open('/docs/nowhere', {
      ...HTML,
      'if-none-match': headers.get('etag')!,
    })

    assert.deepEqual([status, again.status], [404, 404])
    assert.equal(bytes.toString(), '<title>404</title>')
    for (const [target, asked] of [
      ['/docs/nowhere', {}],
      ['/docs/nowhere.md', {}],
      ['/docs/assets/docs-0000.css', HTML],
    ] as [string, Record<string, string>][]) {
      const lost = await open(target, asked)
      assert.equal(lost.status, 404)
      assert.equal((JSON.parse(lost.bytes.toString()) as { code: string }).code, 'route_not_found')
    }
  })

  test('are cached like the app: hashed files forever', async () => {
    const style = await open('/docs/assets/docs-1a2b.css')
    const page = await open('/docs/money', HTML)

    assert.equal(style.headers.get('cache-control'), 'public, max-age=31536000, immutable')
    assert.equal(page.headers.get('cache-control'), 'no-cache')
    assert.match(
      page.headers.get('content-security-policy')!,
      /script-src 'self'; style-src 'self'/,
    )
  })

  test('do not serve neighboring paths', async () => {
    assert.equal((await open('/docsx', HTML)).bytes.toString(), PAGE)
  })
})

describe('the headers of the app', () => {
  const POLICY =
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data: ELSE; ` +
    `media-src 'self' blob: ELSE; connect-src 'self' ELSE; font-src 'self'; worker-src 'self' blob:; ` +
    `manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`

  test('allow only our own scripts and connections, on every page and file', async () => {
    const { HOST, PORT } = market.server.config
    for (const target of ['/', '/find', '/assets/main-4f2a.js', '/sw.js']) {
      const { headers } = await open(target, HTML)

      assert.equal(
        headers.get('content-security-policy'),
        POLICY.replaceAll('ELSE', `http://${HOST}:${PORT}`),
      )
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(
        headers.get('permissions-policy'),
        'camera=(self), microphone=(self), geolocation=(self)',
      )
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('strict-transport-security'), null, 'not without https')
      assert.match(headers.get('x-request-id')!, /^req_/)
    }
  })

  test('allow the file store, wherever its links lead', async () => {
    const bucket = { S3_BUCKET: 'proofs.example', S3_REGION: 'eu-west-1' }
    const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
    for (const [settings, store] of [
      [bucket, { bucket: 'proofs.example', region: 'eu-west-1', endpoint: undefined }],
      [
        { ...bucket, S3_BUCKET: 'proofs' },
        { bucket: 'proofs', region: 'eu-west-1', endpoint: undefined },
      ],
      [
        { ...bucket, S3_ENDPOINT: 'http://127.0.0.1:9000/' },
        { bucket: 'proofs', region: 'eu-west-1', endpoint: 'http://127.0.0.1:9000/' },
      ],
    ] as const) {
      const opened = openS3Store({
        ...store,
        credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      })
      const now = new Date()
      const expiresAt = new Date(now.getTime() + 60_000)
      const about = { contentType: 'image/jpeg', fileName: 'x.jpg', now, expiresAt }
      const link = new URL((await opened.link('ready/x', about))!)
      const server = await startOn(market.url, {
        settings: { ...settings, ...keys, WEB_DIR: dist, PUBLIC_URL: 'https://legwork.example' },
        clockOverride: market.server.clock,
      })

      const { headers } = await fetch(new URL('/', server.addresses.api), { headers: HTML })

      await server.stop()
      await opened.close()
      assert.equal(
        headers.get('content-security-policy'),
        POLICY.replaceAll('ELSE', `https://legwork.example ${link.origin}`),
      )
    }
  })
})

describe('a link in an email', () => {
  test('changes nothing when opened, because mail scanners open every link', async () => {
    const person = await signUp(market, { isVerified: false })
    const link = person.mail.links[0]!

    const { status, bytes, headers } = await open(link.pathname + link.search, HTML)

    const [row] = await market.asOwner('select status from workers where id = $1', [person.id])
    assert.equal(link.pathname, '/verify')
    assert.equal(status, 200)
    assert.equal(row!.status, 'unverified')
    assert(!bytes.toString().includes(person.linkToken))
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  })
})

describe('in production', () => {
  test('browsers get HSTS on every response', async () => {
    const config = { ...market.server.config, NODE_ENV: 'production' as const }
    const { clock, log, metrics } = market.server
    const { shards } = market.db
    const authenticator = openAuthenticator(shards, { trustMs: 0 })
    const server = buildServer({
      shards,
      testMode: { shards, isFull: () => false },
      clock,
      config,
      log,
      metrics,
      sessions: openSessions(shards, tokensOf(config)),
      authenticator,
      consoleSessions: openConsoleSessions(shards, authenticator, { trustMs: 0 }),
      switches: openSwitches(shards, { trustMs: 0 }),
      limiter: undefined,
      policies: policies(),
      endpoints: [],
      openapi: () => '{}',
      draining: new AbortController().signal,
      largeBodies: openLargeBodies(config, metrics),
      shedding: { isOn: () => false, stop() {} },
      stopping: new AbortController().signal,
    })

    const answers = []
    for (const url of ['/', '/sw.js', '/wallet', '/nowhere', '/api/v1/openapi.json'])
      answers.push(await server.inject({ url, headers: HTML }))

    await server.close()
    await filesOf(config).close()
    for (const { headers } of answers)
      assert.equal(headers['strict-transport-security'], 'max-age=31536000')
  })
})

describe('a server without the built app', () => {
  for (const [what, WEB_DIR] of [
    ['an empty folder', path.join(folder, 'empty')],
    ['no folder', path.join(folder, 'nowhere')],
  ] as const)
    test(`says what to do about ${what}, and serves the API`, async () => {
      if (what === 'an empty folder') mkdirSync(WEB_DIR)
      const server = await startOn(market.url, {
        settings: { WEB_DIR },
        clockOverride: market.server.clock,
      })
      const at = (target: string, headers = {}) =>
        fetch(new URL(target, server.addresses.api), { headers })

      const [page, file, api] = [
        await at('/find', HTML),
        await at('/sw.js'),
        await at('/api/v1/openapi.json'),
      ]

      const html = await page.text()
      await server.stop()
      assert.equal(page.status, 404)
      assert.match(html, /<h1>The app is not built yet<\/h1>/)
      assert.match(html, /<code>npm run build<\/code>/)
      assert.match(page.headers.get('content-security-policy')!, /^default-src 'none'/)
      assert.equal(file.status, 404)
      assert.equal(api.status, 200)
    })
})

describe('serving the app', () => {
  test('neither uses rate limits nor is stopped by them', async () => {
    const server = await startOn(market.url, {
      settings: {
        WEB_DIR: dist,
        RATE_LIMITS: 'on',
        LIMIT_GLOBAL_PER_MINUTE: 3,
        LIMIT_ADDRESS_PER_MINUTE: 5,
      },
      clockOverride: market.server.clock,
    })
    const get = async (target: string, headers = {}) => {
      const response = await fetch(new URL(target, server.addresses.api), { headers })
      await response.arrayBuffer()
      return response
    }
    const statuses = async (targets: string[], headers = {}) => {
      const all = []
      for (const target of targets) all.push((await get(target, headers)).status)
      return all
    }

    const files = await statuses(Array<string>(20).fill('/assets/main-4f2a.js'))
    const calls = await statuses(Array<string>(4).fill('/api/v1/worker/session'))
    const pages = await statuses(Array<string>(3).fill('/find'), HTML)
    const lost = await get('/find')

    await server.stop()
    assert.deepEqual(files, Array(20).fill(200))
    assert.deepEqual(calls, [200, 200, 200, 429])
    assert.deepEqual(pages, [200, 200, 200])
    assert.equal(lost.status, 429, 'other routes are counted')
  })

  test('is one route of the metrics, and not logged by default', async () => {
    await open('/verify?token=secret', HTML)

    const metrics = await (await fetch(`${market.server.addresses.ops}/metrics`)).text()

    assert.match(
      metrics,
      /legwork_http_request_seconds_count\{method="GET",route="web",status="200",mode="live"\} \d+/,
    )
    assert(!metrics.includes('secret'))
  })
})
