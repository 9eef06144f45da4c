import assert from 'node:assert/strict'
import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { after, describe, test } from 'node:test'
import { z } from 'zod'
import { call, marketplace, startOn } from '../../test/harness.ts'
import { endpoint } from '../kit/endpoint.ts'
import { mintId } from '../kit/ids.ts'
import { tokensOf } from './tokens.ts'

const whoAmI = endpoint({
  method: 'GET',
  path: '/test/who-am-i',
  auth: 'worker',
  summary: 'Says who is calling',
  success: { status: 200, body: z.object({ id: z.string(), mode: z.string() }) },
  errors: [],
  handler: async ({ worker }) => ({ id: worker.id, mode: worker.mode }),
})

const DAY_SECONDS = 86_400
const SEED = randomBytes(32)
const KEY = privateKey(SEED)
const settings = { WORKER_TOKEN_KEYS: SEED.toString('base64') }
const market = await marketplace({ settings, moreEndpoints: [whoAmI] })

const ask = (token: string) => market.client(token).get('/test/who-am-i')
const nowSeconds = () => Math.floor(market.now().getTime() / 1000)
type Fields = Record<string, unknown>

const worker = await market.worker()
const genuine = decode(worker.token)

/** A token like the server's, with these changes; signed with the right key by default. */
function forge({
  header = {},
  payload = {},
  signature = (text: string) => sign(null, Buffer.from(text), KEY),
}: {
  header?: Fields
  payload?: Fields
  signature?: (text: string) => Buffer
} = {}): string {
  const text = [
    { ...genuine.header, ...header },
    { ...genuine.payload, iat: nowSeconds(), exp: nowSeconds() + 7 * DAY_SECONDS, ...payload },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${text}.${signature(text).toString('base64url')}`
}

function decode(token: string) {
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Fields)
  return { header: header!, payload: payload! }
}

const other = generateKeyPairSync('ed25519')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicPem = createPublicKey(KEY).export({ format: 'pem', type: 'spki' }) as string
const publicDer = createPublicKey(KEY).export({ format: 'der', type: 'spki' })
const publicRaw = publicDer.subarray(-32)
const hmac = (secret: string | Buffer) => (text: string) =>
  createHmac('sha256', secret).update(text).digest()
const signedBy = (key: KeyObject) => (text: string) => sign(null, Buffer.from(text), key)

const REFUSED: [string, () => string][] = [
  [
    'alg none, without a signature',
    () => forge({ header: { alg: 'none' }, signature: () => Buffer.alloc(0) }),
  ],
  [
    'alg None in another case',
    () => forge({ header: { alg: 'nOnE' }, signature: () => Buffer.alloc(0) }),
  ],
  ['alg none, with a valid signature', () => forge({ header: { alg: 'none' } })],
  [
    'HS256 with the public key as PEM',
    () => forge({ header: { alg: 'HS256' }, signature: hmac(publicPem) }),
  ],
  [
    'HS256 with the public key as DER',
    () => forge({ header: { alg: 'HS256' }, signature: hmac(publicDer) }),
  ],
  [
    'HS256 with the 32 bytes of the public key',
    () => forge({ header: { alg: 'HS256' }, signature: hmac(publicRaw) }),
  ],
  ['HS256 with an empty secret', () => forge({ header: { alg: 'HS256' }, signature: hmac('') })],
  [
    'RS256 with an attacker’s key',
    () =>
      forge({
        header: { alg: 'RS256' },
        signature: (text) => sign('sha256', Buffer.from(text), rsa.privateKey),
      }),
  ],
  [
    'ES256 with an attacker’s key',
    () =>
      forge({
        header: { alg: 'ES256' },
        signature: (text) =>
          sign('sha256', Buffer.from(text), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }),
      }),
  ],
  ['EdDSA with an attacker’s key', () => forge({ signature: signedBy(other.privateKey) })],
  [
    'an attacker’s key as jwk',
    () =>
      forge({
        header: { jwk: other.publicKey.export({ format: 'jwk' }) },
        signature: signedBy(other.privateKey),
      }),
  ],
  [
    'an attacker’s key by jku',
    () =>
      forge({ header: { jku: 'http://127.0.0.1:9/keys' }, signature: signedBy(other.privateKey) }),
  ],
  [
    'an attacker’s key by x5u',
    () =>
      forge({ header: { x5u: 'http://127.0.0.1:9/cert' }, signature: signedBy(other.privateKey) }),
  ],
  ['no kid', () => forge({ header: { kid: undefined } })],
  ['an unknown kid', () => forge({ header: { kid: 'unknown' } })],
  ['a path as kid', () => forge({ header: { kid: '../../../dev/null' }, signature: hmac('') })],
  ['SQL as kid', () => forge({ header: { kid: "' union select 'x" } })],
  ['a number as kid', () => forge({ header: { kid: 0 } })],
  ['an object property name as kid', () => forge({ header: { kid: '__proto__' } })],
  ['a critical extension', () => forge({ header: { crit: ['x'], x: 1 } })],
  ['no typ', () => forge({ header: { typ: undefined } })],
  ['typ JWT', () => forge({ header: { typ: 'JWT' } })],
  ['typ of an access token', () => forge({ header: { typ: 'at+jwt' } })],
  ['no iss', () => forge({ payload: { iss: undefined } })],
  ['another iss', () => forge({ payload: { iss: 'https://legwork.example' } })],
  ['no aud', () => forge({ payload: { aud: undefined } })],
  ['another aud', () => forge({ payload: { aud: 'legwork-agents' } })],
  ['no sub', () => forge({ payload: { sub: undefined } })],
  ['an empty sub', () => forge({ payload: { sub: '' } })],
  ['the sub of an agent', () => forge({ payload: { sub: mintId('agent', market.now(), 1) } })],
  ['an unknown sub', () => forge({ payload: { sub: mintId('worker', market.now(), 1) } })],
  ['no jti', () => forge({ payload: { jti: undefined } })],
  ['no iat', () => forge({ payload: { iat: undefined } })],
  ['an iat an hour ahead', () => forge({ payload: { iat: nowSeconds() + 3600 } })],
  ['an iat that is a string', () => forge({ payload: { iat: 'now' } })],
  ['an iat of 8 days ago', () => forge({ payload: { iat: nowSeconds() - 8 * DAY_SECONDS } })],
  ['no exp', () => forge({ payload: { exp: undefined } })],
  ['an exp of a minute ago', () => forge({ payload: { exp: nowSeconds() - 60 } })],
  ['an exp that is a string', () => forge({ payload: { exp: 'never' } })],
  ['an nbf an hour ahead', () => forge({ payload: { nbf: nowSeconds() + 3600 } })],
  ['no session version', () => forge({ payload: { sv: undefined } })],
  ['the session version as a string', () => forge({ payload: { sv: '1' } })],
  ['an older session version', () => forge({ payload: { sv: 0 } })],
  ['a later session version', () => forge({ payload: { sv: 2 } })],
  [
    'a payload changed after signing',
    () => swap(forge(), 1, { ...genuine.payload, sv: 1, sub: worker.id, admin: true }),
  ],
  ['a header changed after signing', () => swap(forge(), 0, { ...genuine.header, x: 1 })],
  ['no signature', () => forge().replace(/\.[^.]*$/, '.')],
  ['a truncated signature', () => forge().slice(0, -4)],
  ['two parts only', () => forge().split('.').slice(0, 2).join('.')],
  ['four parts', () => `${forge()}.x`],
  ['a truncated token', () => forge().slice(0, 60)],
  ['a text that is not a token', () => 'nonsense'],
  ['an API key', () => `lw_live_${'0'.repeat(52)}`],
]

function swap(token: string, at: number, part: Fields): string {
  const parts = token.split('.')
  parts[at] = Buffer.from(JSON.stringify(part)).toString('base64url')
  return parts.join('.')
}

describe('a worker’s token', () => {
  test('200 for a token made by hand like the server’s', async () => {
    const { status, body } = await ask(forge())

    assert.equal(status, 200)
    assert.deepEqual(body, { id: worker.id, mode: 'live' })
  })

  test('contains the worker and the expiry, and no more', () => {
    const { header, payload } = genuine

    assert.deepEqual(Object.keys(header).sort(), ['alg', 'kid', 'typ'])
    assert.equal(header.alg, 'EdDSA')
    assert.equal(header.typ, 'worker+jwt')
    assert.deepEqual(Object.keys(payload).sort(), ['aud', 'exp', 'iat', 'iss', 'jti', 'sub', 'sv'])
    assert.equal(Number(payload.exp) - Number(payload.iat), 7 * DAY_SECONDS)
  })

  for (const [words, make] of REFUSED)
    test(`401 with ${words} [7-401-worker]`, async () => {
      const { status, body } = await ask(make())

      assert.equal(status, 401)
      assert.equal(body.code, 'invalid_token')
      assert.deepEqual(Object.keys(body), ['error', 'code', 'request_id', 'doc_url'])
    })

  test('200 within 30 seconds around its validity, because clocks differ', async () => {
    const replies = [
      await ask(forge({ payload: { exp: nowSeconds() - 25 } })),
      await ask(forge({ payload: { iat: nowSeconds() + 25 } })),
    ]

    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    )
  })

  test('401 for a suspended, closed or unconfirmed worker, at once; 200 when active again', async () => {
    const { id, token } = await market.worker()

    for (const [status, expected] of [
      ['suspended', 401],
      ['active', 200],
      ['closed', 401],
      ['unverified', 401],
      ['active', 200],
    ] as const) {
      await market.asOwner('update workers set status = $2 where id = $1', [id, status])

      assert.equal((await ask(token)).status, expected, status)
    }
  })

  test('401 for a deleted worker', async () => {
    const { id, token } = await market.worker()
    await market.asOwner('delete from workers where id = $1', [id])

    const { status } = await ask(token)

    assert.equal(status, 401)
  })

  test('401 for an ended session, at once; the next one works', async () => {
    const { id, token } = await market.worker()
    const before = await ask(token)
    await market.asOwner('update workers set session_version = 2 where id = $1', [id])

    const after = await ask(token)

    const next = await market.tokens.sign({ workerId: id, version: 2 }, market.now())
    assert.equal(before.status, 200)
    assert.equal(after.status, 401)
    assert.equal((await ask(next.token)).status, 200)
  })

  test('sessions that are looked up together keep their own worker', async () => {
    const workers = await Promise.all(Array.from({ length: 12 }, () => market.worker()))

    const replies = await Promise.all(
      workers.flatMap(({ token }) => [ask(token), ask('nonsense'), ask(token)]),
    )

    assert.deepEqual(
      replies.map(({ status, body }) => (status === 200 ? body.id : status)),
      workers.flatMap(({ id }) => [id, 401, id]),
    )
  })
})

describe('two token keys', () => {
  const [old, next] = [SEED, randomBytes(32)].map((seed) => seed.toString('base64'))
  const start = (keys: string) =>
    startOn(market.url, {
      settings: { WORKER_TOKEN_KEYS: keys },
      moreEndpoints: [whoAmI],
      clockOverride: market.server.clock,
    })

  test('a new one is added in front, and the old one removed when its tokens have expired', async () => {
    const rotating = await start(`${next}, ${old}`)
    const rotated = await start(next!)
    after(async () => {
      await rotating.stop()
      await rotated.stop()
    })
    const session = { workerId: worker.id, version: 1 }
    const tokens = {
      old: (await market.tokens.sign(session, market.now())).token,
      new: (await tokensOf(rotating.config).sign(session, market.now())).token,
    }
    const status = async (server: typeof rotating, token: string) => {
      const headers = { authorization: `Bearer ${token}` }
      return (await call(server.addresses.api!, 'GET', '/test/who-am-i', { headers })).status
    }

    assert.equal(await status(rotating, tokens.old), 200)
    assert.equal(await status(rotating, tokens.new), 200)
    assert.equal(await status(rotated, tokens.new), 200)
    assert.equal(await status(rotated, tokens.old), 401)
    assert.equal((await ask(tokens.new)).status, 401, 'a process that has only the old key')
  })

  test('a key that is not 32 bytes is refused at the start', async () => {
    await assert.rejects(start('c2hvcnQ='), /WORKER_TOKEN_KEYS: each key must be 32 bytes/)
  })
})

function privateKey(seed: Buffer): KeyObject {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  return createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' })
}
