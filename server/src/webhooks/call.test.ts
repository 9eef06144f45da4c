import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { after, describe, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeCertificate } from '../../test/certificate.ts'
import { openNames } from '../../test/dns.ts'
import { openReceiver } from '../../test/receiver.ts'
import { readConfig } from '../config.ts'
import { type Caller, openCaller } from './call.ts'

const TIMEOUT_MS = 500
const NOTHING = { status: 204, answer: '' }

const good = makeCertificate({ name: 'hooks.example' })
const expired = makeCertificate({ name: 'expired.example', days: -1 })
const unknown = makeCertificate({ name: 'unknown.example' })
setDefaultCACertificates([...getCACertificates('default'), good.cert, expired.cert])

const names = await openNames({ after })
for (const name of ['hooks', 'other', 'expired', 'unknown', 'plain'])
  names.set(`${name}.example`, { a: ['127.0.0.1'] })

const caller = openCaller(settings({ WEBHOOK_TIMEOUT_MS: TIMEOUT_MS }))
after(() => caller.close())

describe('a call', () => {
  test('posts the unchanged body with its headers, and returns the response', async (t) => {
    const receiver = await openReceiver(t, (_, response) => response.writeHead(202).end('thanks'))

    const reply = await caller.post({
      url: `${receiver.url}?a=b%20c`,
      headers: { 'webhook-id': 'evt_1' },
      body: '{"ü": 1}',
    })

    const [received] = receiver.received
    assert.deepEqual(reply, { status: 202, answer: 'thanks' })
    assert.equal(received!.path, '/hooks?a=b%20c')
    assert.equal(received!.text, '{"ü": 1}')
    assert.equal(received!.headers['content-type'], 'application/json')
    assert.equal(received!.headers['user-agent'], 'Legwork-Webhooks/1')
    assert.equal(received!.headers['webhook-id'], 'evt_1')
    assert.equal(received!.headers.host, `127.0.0.1:${receiver.port}`)
  })

  test('reuses a connection, and resolves the name once', async (t) => {
    const { port, connections } = await openCounting(t)
    names.set('plain.example', { a: ['127.0.0.1'] }, { a: ['127.0.0.2'] })

    for (let i = 0; i < 5; i += 1)
      assert.deepEqual(await post(caller, `http://plain.example:${port}/${i}`), NOTHING)

    assert.equal(connections.length, 1)
    assert.equal(names.questions.filter(({ name }) => name === 'plain.example').length, 2)
  })

  test('tries the next IP address if one does not respond', async (t) => {
    const receiver = await openReceiver(t)
    names.set('two.example', { a: ['127.0.0.2', '127.0.0.1'] })

    const reply = await post(caller, `http://two.example:${receiver.port}/`)

    assert.equal(reply.status, 200)
  })

  test('does not follow redirects', async (t) => {
    const inside = await openReceiver(t)
    const receiver = await openReceiver(t)

    for (const status of [301, 302, 303, 307, 308]) {
      receiver.answerWith(status, { location: inside.url })
      assert.equal((await post(caller, receiver.url)).status, status)
    }

    assert.equal(receiver.received.length, 5)
    assert.equal(inside.received.length, 0)
  })

  test('keeps no cookies', async (t) => {
    const receiver = await openReceiver(t)
    receiver.answerWith(200, { 'set-cookie': 'a=b' })

    await post(caller, receiver.url)
    await post(caller, receiver.url)

    assert.equal(receiver.received[1]!.headers.cookie, undefined)
  })

  for (const [value, expected] of [
    ['120', 120_000],
    ['0', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['1e9', undefined],
  ] as const)
    test(`parses Retry-After: ${value}`, async (t) => {
      const receiver = await openReceiver(t)
      receiver.answerWith(503, { 'retry-after': value })

      const reply = await post(caller, receiver.url)

      assert.deepEqual(reply, {
        status: 503,
        answer: '503',
        ...(expected !== undefined && { retryAfterMs: expected }),
      })
    })

  test('parses Retry-After as a future time', async (t) => {
    const receiver = await openReceiver(t)
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString()
    receiver.answerWith(429, { 'retry-after': inAnHour })

    const reply = await post(caller, receiver.url)

    assert('retryAfterMs' in reply)
    assert(reply.retryAfterMs! > 3_590_000 && reply.retryAfterMs! <= 3_600_000)
  })
})

describe('Retry-After as a time', () => {
  test('is compared with the Date of the response, not with our clock', async (t) => {
    const receiver = await openReceiver(t)
    const date = new Date(Date.now() + 3 * 86_400_000)
    const inAnHour = new Date(date.getTime() + 3_600_000)
    receiver.answerWith(429, { date: date.toUTCString(), 'retry-after': inAnHour.toUTCString() })

    const reply = await post(caller, receiver.url)

    assert('retryAfterMs' in reply)
    assert.equal(reply.retryAfterMs, 3_600_000)
  })
})

describe('a receiver can', () => {
  test('hang, or send byte by byte: the call ends at its timeout', async (t) => {
    const receiver = await openReceiver(t)
    const begun = performance.now()
    receiver.answerBy(() => undefined)
    const hangs = post(caller, receiver.url)
    const trickles = await openLine(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
      every(20, socket, () => socket.write('x'))
    })
    const creeps = await openLine(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      every(20, socket, () => socket.write('a: b\r\n'))
    })
    const informs = await openLine(t, (socket) => {
      every(20, socket, () => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'))
    })
    const accepts = await openLine(t, () => undefined)

    const replies = await Promise.all([
      hangs,
      post(caller, trickles.url),
      post(caller, creeps.url),
      post(caller, informs.url),
      post(caller, `https://127.0.0.1:${accepts.port}/`),
    ])

    for (const reply of replies) assert.deepEqual(reply, { error: 'no response within 0.5 s' })
    assert(performance.now() - begun < TIMEOUT_MS * 2)
    for (const { connections } of [trickles, creeps, informs, accepts]) await ended(connections[0]!)
  })

  test('send endlessly: enough is read, and the connection closed', async (t) => {
    const endless = await openLine(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      every(1, socket, () => socket.write(`3e8\r\n${'x'.repeat(1000)}\r\n`))
    })

    const reply = await post(caller, endless.url)

    assert.deepEqual(reply, { status: 200, answer: 'x'.repeat(512) })
    await ended(endless.connections[0]!)
  })

  test('send binary data: only printable text is kept', async (t) => {
    const bytes = Buffer.concat([
      Buffer.from('a\u0000b\u001b[31mc\r\n\u202Ed\u2028e'),
      Buffer.from([0xff, 0xfe, 0xc3]),
      Buffer.from('é'.repeat(400)),
    ])
    const receiver = await openReceiver(t, (_, response) => response.end(bytes))

    const reply = await post(caller, receiver.url)

    assert('answer' in reply)
    assert.match(reply.answer, /^a b \[31mc d e é+$/)
    assert(Buffer.byteLength(reply.answer) <= 512)
  })

  for (const [what, bytes, error] of [
    ['something other than HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'the response is not valid HTTP'],
    [
      'endless headers',
      `HTTP/1.1 200 OK\r\na: ${'x'.repeat(20_000)}\r\n\r\n`,
      'the response is not valid HTTP',
    ],
    [
      'half a response',
      'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc',
      'the connection was closed',
    ],
    ['nothing', '', 'the connection was closed'],
  ] as const)
    test(`send ${what}, and hang up`, async (t) => {
      const line = await openLine(t, (socket) => socket.end(bytes))

      assert.deepEqual(await post(caller, line.url), { error })
    })

  test('cut the connection', async (t) => {
    const line = await openLine(t, (socket) => socket.resetAndDestroy())

    assert.deepEqual(await post(caller, line.url), { error: 'the connection was closed' })
  })

  test('be down', async (t) => {
    const line = await openLine(t, () => undefined)
    await line.close()
    names.set('silent.example', { silent: true })

    assert.deepEqual(await post(caller, line.url), { error: 'the connection was refused' })
    assert.deepEqual(await post(caller, 'https://nobody.example/'), {
      error: 'the host name does not resolve',
    })
    assert.deepEqual(await post(caller, 'https://silent.example/'), {
      error: 'no response within 0.5 s',
    })
  })

  test('have an IP address that cannot be called', async () => {
    for (const [url, error] of [
      ['not an address', 'the URL can’t be parsed'],
      ['http://me:secret@127.0.0.1/', 'the URL must not contain a user name or password'],
      ['http://93.184.216.34/', 'the URL must be an https URL'],
      [
        'https://10.0.0.1/',
        'the URL is not public (10.0.0.1): it must be reachable from the internet',
      ],
    ] as const)
      assert.deepEqual(await post(caller, url), { error })
  })

  test('be given an invalid header: the call fails, and the process continues', async () => {
    const reply = await caller.post({
      url: 'http://127.0.0.1:1/',
      headers: { 'bad header\n': 'x' },
      body: '',
    })

    assert('error' in reply)
  })
})

describe('a TLS connection', () => {
  test('is made to the resolved IP address, with the name as SNI', async (t) => {
    const server = await openSecure(t, good)

    const reply = await post(caller, `https://hooks.example:${server.port}/x`)

    assert.deepEqual(reply, { status: 200, answer: 'hello' })
    assert.deepEqual(server.asked, ['hooks.example'])
  })

  for (const [name, certificate, error] of [
    ['other.example', good, /^the certificate is not valid: .*other\.example.* not in/],
    ['expired.example', expired, /^the certificate is not valid: certificate has expired$/],
    ['unknown.example', unknown, /^the certificate is not valid: self-signed certificate$/],
    ['127.0.0.1', good, /^the certificate is not valid: .*127\.0\.0\.1/],
  ] as const)
    test(`is not made with a certificate that is not valid for ${name}`, async (t) => {
      const server = await openSecure(t, certificate)

      const reply = await post(caller, `https://${name}:${server.port}/`)

      assert('error' in reply)
      assert.match(reply.error, error)
      assert.deepEqual(server.received, [])
      await ended(server.connections[0]!)
    })

  test('is not made to a receiver that does not speak TLS, or hangs up', async (t) => {
    const plain = await openLine(t, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const rude = await openLine(t, (socket) => socket.destroy())

    assert.deepEqual(await post(caller, `https://127.0.0.1:${plain.port}/`), {
      error: 'a TLS connection can’t be established',
    })
    assert.deepEqual(await post(caller, `https://127.0.0.1:${rude.port}/`), {
      error: 'the connection was closed during the TLS handshake',
    })
  })
})

describe('a caller', () => {
  test('opens no more connections to a host than allowed, and sends everything', async (t) => {
    const { url, connections } = await openCounting(t)
    const narrow = openCaller(settings({ WEBHOOK_HOST_CONCURRENCY: 2 }))
    t.after(() => narrow.close())

    const replies = await Promise.all(Array.from({ length: 20 }, () => post(narrow, url)))

    for (const reply of replies) assert.deepEqual(reply, NOTHING)
    assert.equal(connections.length, 2)
  })

  test('finishes running calls before it closes, and accepts none after that', async (t) => {
    const receiver = await openReceiver(t, (_, response) => {
      setTimeout(() => response.end('late'), 100)
    })
    const closing = openCaller(settings({}))

    const reply = post(closing, receiver.url)
    await closing.close()

    assert.deepEqual(await reply, { status: 200, answer: 'late' })
    assert('error' in (await post(closing, receiver.url)))
  })
})

function settings(given: Record<string, number>) {
  return readConfig({
    WEBHOOK_DNS_SERVERS: names.server,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])),
  })
}

function post(by: Caller, url: string) {
  return by.post({ url, headers: {}, body: '{}' })
}

interface Scope {
  after(end: () => unknown): void
}

/** A loopback TCP server that calls `act` with each connection when its first data arrives. */
async function openLine(scope: Scope, act: (socket: Socket) => void) {
  const connections: Socket[] = []
  const server = createServer((socket) => {
    connections.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => act(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    for (const socket of connections) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  scope.after(close)
  return { url: `http://127.0.0.1:${port}/`, port, connections, close }
}

/** An HTTP server that responds 204 and counts its connections. */
async function openCounting(scope: Scope) {
  const connections: Socket[] = []
  const server = createHttpServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
  })
  server.on('connection', (socket) => connections.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => closeAll(server))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, port, connections }
}

function every(ms: number, socket: Socket, act: () => void) {
  const timer = setInterval(act, ms)
  socket.once('close', () => clearInterval(timer))
}

function ended(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve()
    else socket.once('close', () => resolve())
  })
}

async function openSecure(scope: Scope, certificate: { cert: string; key: string }) {
  const asked: (string | false)[] = []
  const connections: Duplex[] = []
  const received: string[] = []
  const server = createSecureServer(certificate, (request, response) => {
    received.push(request.url!)
    response.end('hello')
  })
  server.on('secureConnection', ({ servername }) => asked.push(servername as string | false))
  server.on('tlsClientError', () => undefined)
  server.on('connection', (socket) => connections.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  scope.after(() => closeAll(server))
  return { port: (server.address() as AddressInfo).port, asked, received, connections }
}

function closeAll(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
