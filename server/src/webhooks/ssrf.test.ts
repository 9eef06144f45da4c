/**
 * Every SSRF vector we know, at each entry point: registration, a change of webhook_url, a ping, a task's callback_url,
 * and the connection itself, where a stub records the addresses instead of dialing them.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { after, describe, test } from 'node:test'
import { openNames } from '../../test/dns.ts'
import { marketplace, type Reply } from '../../test/harness.ts'
import { readConfig } from '../config.ts'
import { openCaller } from './call.ts'

const PUBLIC = ['93.184.216.34', '2606:2800:220:1::1']

const words = (text: string) => text.trim().split(/\s+/)

const HOSTS = {
  'loopback in any notation': words(`
    127.0.0.1 127.1 127.0.1 127.255.255.254 127.0.0.1. 2130706433 0x7f000001 0x7f.1
    0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 00000177.1 %31%32%37.0.0.1 １２７.0.0.1 ①②⑦.0.0.1
    127。0。0。1 127.0.0.1:443 127.0.0.1:8443 [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::1]:443
  `),
  'this host': words(`
    0 0.0.0.0 0.0.0.1 0x0 [::]
  `),
  'private networks': words(`
    10.0.0.1 0x0a000001 172.16.0.1 172.31.255.255 192.168.0.1 0xc0.0xa8.1 100.64.0.1 [fc00::1]
    [fd12:3456:789a::1] [fec0::1]
  `),
  'cloud metadata services': words(`
    169.254.169.254 2852039166 0xa9.254.0xa9fe 169.254.170.2 100.100.100.200 168.63.129.16
    192.0.0.192 [fd00:ec2::254] [fd20:ce::254] [fe80::a9fe:a9fe]
  `),
  'other non-public addresses': words(`
    192.0.2.1 198.51.100.7 203.0.113.7 198.18.0.1 192.88.99.1 224.0.0.1 239.255.255.250 240.0.0.1
    255.255.255.255 [fe80::1] [ff02::1] [100::1] [2001:db8::1] [3fff::1] [5f00::1] [4000::1]
  `),
  'IPv4 addresses inside of IPv6': words(`
    [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:169.254.169.254] [::127.0.0.1] [::ffff:0:127.0.0.1]
    [64:ff9b::127.0.0.1] [64:ff9b:1::a00:1] [2002:7f00:1::] [2001:0:7f00:1::]
    [2600::5efe:127.0.0.1] [2600:1:2:3:200:5efe:a00:1]
  `),
  'internal names': words(`
    localhost LOCALHOST localhost. localhost:443 me.localhost ｌocalhost localhost.localdomain
    ip6-localhost kubernetes metadata metadata.google.internal instance-data.ec2.internal
    kubernetes.default.svc.cluster.local printer.local nas.lan router.home.arpa git.corp
    a..example -.
  `),
  'names that resolve to such addresses': words(`
    loopback.example LOOPBACK.example loopback.example. six.example private.example
    metadata.example mapped.example translated.example mixed.example mixed-last.example
    mixed-six.example alias.example zero.example 127.0.0.1.nip.example
  `),
}

const WHOLE = [
  'http://93.184.216.34/',
  'http://public.example/',
  'http://127.0.0.1/',
  'http://127.0.0.1:443/',
  'https://93.184.216.34:22/',
  'https://93.184.216.34:80/',
  'https://public.example:6379/',
  'https://public.example:8080/',
  'https://me@public.example/',
  'https://me:secret@public.example/',
  'https://public.example@127.0.0.1/',
  'https://public.example%40@127.0.0.1/',
  'https://public.example:443@[::1]/',
  'https://127.0.0.1\\@public.example/',
  'https://127.0.0.1#@public.example/',
  'https://127.0.0.1?@public.example/',
  'https:///127.0.0.1/',
  'https:127.0.0.1/',
  'https:\\\\127.0.0.1\\',
  'https://[fe80::1%25lo]/',
  'https://127.0.0.1\t/',
  'https://\t127.0.0.1/',
  'https://256.256.256.256/',
  'ftp://127.0.0.1/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_INFO',
  'data:text/plain,x',
  '//127.0.0.1/',
]

const names = await openNames({ after })
names.set('public.example', { a: [PUBLIC[0]!], aaaa: [PUBLIC[1]!] })
names.set('loopback.example', { a: ['127.0.0.1'] })
names.set('six.example', { aaaa: ['::1'] })
names.set('private.example', { a: ['10.0.0.5'] })
names.set('metadata.example', { a: ['169.254.169.254'] })
names.set('mapped.example', { aaaa: ['::ffff:127.0.0.1'] })
names.set('translated.example', { aaaa: ['64:ff9b::7f00:1'] })
names.set('mixed.example', { a: ['127.0.0.1', PUBLIC[0]!] })
names.set('mixed-last.example', { a: [PUBLIC[0]!, '127.0.0.1'] })
names.set('mixed-six.example', { a: [PUBLIC[0]!], aaaa: ['::1'] })
names.set('alias.example', { cname: 'loopback.example' })
names.set('zero.example', { a: ['0.0.0.0'] })
names.set('127.0.0.1.nip.example', { a: ['127.0.0.1'] })

// As in production: no non-public range is allowed.
const settings = { WEBHOOK_DNS_SERVERS: names.server, WEBHOOK_ALLOW_CIDRS: '' }
const market = await marketplace({ settings })
const config = readConfig(settings)
const agent = await market.agent({ freeTasks: false, balanceCents: 1_000_000 })

const vectors = [
  ...Object.entries(HOSTS).flatMap(([kind, hosts]) =>
    hosts.map((host) => ({ kind, url: `https://${host}/` })),
  ),
  ...WHOLE.map((url) => ({ kind: 'the address as a whole', url })),
]
const kinds = [...new Set(vectors.map(({ kind }) => kind))]
const urlsOf = (of: string) => vectors.filter(({ kind }) => kind === of).map(({ url }) => url)

const GOOD = [
  ['https://93.184.216.34/hooks', ['93.184.216.34']],
  ['https://93.184.216.34:8443/', ['93.184.216.34']],
  ['https://[2606:2800:220:1::1]/', ['2606:2800:220:1::1']],
  ['https://public.example/hooks?a=b', PUBLIC],
  ['HTTPS://PUBLIC.example:443/', PUBLIC],
] as const

/** Each entry point returns 'taken' or 'refused'; anything else is unexpected. */
const doors: Record<string, (url: string) => Promise<unknown>> = {
  registration: async (url) => outcomeOf(await register(url)),
  'a change of webhook_url': async (url) =>
    outcomeOf(await agent.patch('/agents/me', { webhook_url: url })),
  'a ping': async (url) => outcomeOf(await agent.post('/webhooks/ping', { url })),
  'a callback_url': async (url) =>
    outcomeOf(await agent.post('/tasks', { ...task(), callback_url: url })),
  'the callback_url of a shorthand': async (url) =>
    outcomeOf(await agent.post('/gut-check', { ...task(), callback_url: url })),
  'a connection': async (url) => {
    const { dialled, reply } = await connect(url)
    return dialled.length > 0 ? 'taken' : 'error' in reply ? 'refused' : reply
  },
}

function outcomeOf({ status, body }: Reply): unknown {
  const isRefused = status === 400 && /^(?:\w+_)?url$/.test(body.details?.[0]?.path)
  return isRefused ? 'refused' : status < 300 ? 'taken' : body
}

test('the list has more than sixty attacks', () => {
  assert(new Set(vectors.map(({ url }) => url)).size >= 120)
})

for (const [door, tryAt] of Object.entries(doors))
  describe(door, () => {
    for (const kind of kinds)
      test(`refuses ${kind}`, async () => {
        for (const url of urlsOf(kind)) assert.equal(await tryAt(url), 'refused', url)
      })

    for (const [url] of GOOD)
      test(`accepts ${url}`, async () => {
        assert.equal(await tryAt(url), 'taken')
      })
  })

test('400: the error names the field and the reason', async () => {
  const registered = await register('https://10.0.0.1/')
  const created = await agent.post('/tasks', {
    ...task(),
    callback_url: 'https://loopback.example/',
  })

  assert.equal(registered.status, 400)
  assert.equal(registered.body.code, 'invalid_request')
  assert.deepEqual(registered.body.details, [
    {
      path: 'webhook_url',
      message: 'is not public (10.0.0.1): it must be reachable from the internet',
    },
  ])
  assert.equal(created.status, 400)
  assert.deepEqual(created.body.details, [
    {
      path: 'callback_url',
      message: 'is not public (loopback.example): it must be reachable from the internet',
    },
  ])
})

test('400: a task that is refused for its callback_url costs nothing', async () => {
  const before = await market.balance(agent.id)

  const { status } = await agent.post('/tasks', { ...task(), callback_url: 'https://127.0.0.1/' })

  assert.equal(status, 400)
  assert.equal(await market.balance(agent.id), before)
})

for (const [url, expected] of GOOD)
  test(`a connection to ${url} dials only the checked IP address`, async () => {
    const { dialled, reply } = await connect(url)

    assert.deepEqual(dialled, expected)
    assert('error' in reply)
  })

describe('a name that resolves differently the second time', () => {
  test('is accepted at registration, and refused at the connection', async () => {
    names.set('rebinding.example', { a: [PUBLIC[0]!] }, { a: ['127.0.0.1'] })

    const registered = await register('https://rebinding.example/')
    const { dialled, reply } = await connect('https://rebinding.example/')

    assert.equal(registered.status, 201)
    assert.deepEqual(dialled, [])
    assert.deepEqual(reply, {
      error: 'the URL is not public (rebinding.example): it must be reachable from the internet',
    })
  })

  test('is resolved once per connection: the checked IP address is the dialed one', async () => {
    names.set('flipping.example', { a: [PUBLIC[0]!] }, { a: ['127.0.0.1'] })

    const { dialled } = await connect('https://flipping.example/')

    assert.deepEqual(dialled, [PUBLIC[0]])
    assert.equal(names.questions.filter(({ name }) => name === 'flipping.example').length, 2)
  })
})

test('control: a check of the text alone accepts more than half of the attacks', async () => {
  const resolver = new Resolver()
  resolver.setServers([names.server])
  const reached: string[] = []

  for (const { url } of vectors) {
    if (!looksHarmless(url)) continue
    const host = new URL(url).hostname.replace(/^\[|\]$|\.$/g, '')
    const addresses = isIP(host) ? [host] : await resolver.resolve4(host).catch(() => [])
    if (addresses[0] !== undefined && !PUBLIC.includes(addresses[0])) reached.push(url)
  }

  assert(
    reached.length > vectors.length / 2,
    `${reached.length} of ${vectors.length}: ${reached.join(' ')}`,
  )
})

/** Negative control: a naive check that is often considered sufficient. */
function looksHarmless(url: string): boolean {
  return (
    URL.canParse(url) &&
    /^https:\/\/[^/]+/.test(url) &&
    !/^https:\/\/(?:localhost|127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[::1\])/i.test(
      url,
    )
  )
}

function register(webhookUrl: string) {
  const body = { name: 'Scout', email: `${randomUUID()}@example.com`, webhook_url: webhookUrl }
  return market.call('POST', '/agents/register', { body })
}

function task() {
  return { description: 'Look', budget_cents: 500 }
}

/** Opens a connection as usual, except that the dial step only records the address and sends nothing. */
async function connect(url: string) {
  const dialled: string[] = []
  const caller = openCaller(config, {
    dial({ address }) {
      dialled.push(address)
      throw new Error('not here')
    },
  })
  const reply = await caller.post({ url, headers: {}, body: '{}' })
  await caller.close()
  return { dialled, reply }
}
