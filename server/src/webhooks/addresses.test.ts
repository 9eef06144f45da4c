import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openNames } from '../../test/dns.ts'
import { readConfig } from '../config.ts'
import { checkAddress, checkField, findWay } from './addresses.ts'

const names = await openNames({ after })
const settings = { WEBHOOK_DNS_SERVERS: names.server }
const strict = readConfig(settings)
const open = readConfig({ ...settings, WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const NOT_PUBLIC = /^is not public \((.+)\): it must be reachable from the internet$/

describe('a webhook URL', () => {
  for (const [url, reason] of [
    ['http://93.184.216.34/', 'must be an https URL'],
    ['ftp://93.184.216.34/', 'must be an https URL'],
    ['https://93.184.216.34:8080/', 'must use port 443 or 8443'],
    ['https://93.184.216.34:80/', 'must use port 443 or 8443'],
    ['https://me@93.184.216.34/', 'must not contain a user name or password'],
    ['https://:secret@93.184.216.34/', 'must not contain a user name or password'],
    ['https://', 'must be an http or https URL'],
    ['https://10.1.2.3/', 'is not public (10.1.2.3): it must be reachable from the internet'],
    ['https://0x0a.1/', 'is not public (10.0.0.1): it must be reachable from the internet'],
    ['https://[::1]/', 'is not public (::1): it must be reachable from the internet'],
    ['https://kubernetes/', 'is not public (kubernetes): it must be reachable from the internet'],
    ['https://a..example/', 'is not public (a..example): it must be reachable from the internet'],
  ] as const)
    test(`is refused with its reason: ${url}`, async () => {
      assert.equal(await checkAddress(strict, url), reason)
    })

  for (const url of [
    'https://93.184.216.34/',
    'https://93.184.216.34:443/',
    'https://93.184.216.34:8443/',
    'https://[2606:2800:220:1::1]/',
    'https://unknown.example/',
    'https://unknown.example./',
    'https://under_score.xn--bcher-kva.example/',
    'https://bücher.example/',
  ])
    test(`is accepted: ${url}`, async () => {
      assert.equal(await checkAddress(strict, url), undefined)
    })

  test('is refused if one of its IP addresses is private, which is not revealed', async () => {
    names.set('mixed.example', { a: ['93.184.216.34', '10.9.8.7'] })
    names.set('half.example', { a: ['93.184.216.34'], aaaa: ['fd00::7'] })

    for (const name of ['mixed.example', 'half.example']) {
      const reason = await checkAddress(strict, `https://${name}/`)
      assert.match(reason!, NOT_PUBLIC)
      assert.equal(NOT_PUBLIC.exec(reason!)![1], name)
    }
  })

  test('is refused if it is a CNAME of a private name', async () => {
    names.set('inside.example', { a: ['192.168.1.1'] })
    names.set('alias.example', { cname: 'inside.example' })

    assert.match((await checkAddress(strict, 'https://alias.example/'))!, NOT_PUBLIC)
  })

  test('is accepted if its name is not resolved in two seconds, and a late answer counts', async () => {
    names.set('silent.example', { silent: true })
    names.set('slow.example', { a: ['10.0.0.1'], delayMs: 400 })
    const begun = performance.now()

    const reasons = await Promise.all([
      checkAddress(strict, 'https://silent.example/'),
      checkAddress(strict, 'https://slow.example/'),
    ])

    assert.equal(reasons[0], undefined)
    assert.match(reasons[1]!, NOT_PUBLIC)
    assert(performance.now() - begun < 2500)
  })

  test('is resolved once a minute, however many tasks name it, and again for a connection', async () => {
    names.set('busy.example', { a: ['93.184.216.34'] }, { a: ['127.0.0.1'] })

    const reasons = await Promise.all(
      Array.from({ length: 20 }, (_, i) => checkAddress(strict, `https://busy.example/${i}`)),
    )
    const asked = names.questions.filter(({ name }) => name === 'busy.example').length
    const way = await findWay(strict, new URL('https://busy.example/'))

    assert.deepEqual(new Set(reasons), new Set([undefined]))
    assert.equal(asked, 2)
    assert('refused' in way)
  })

  test('is named by its field', async () => {
    assert.deepEqual(await checkField(strict, 'webhook_url', 'http://93.184.216.34/'), [
      { path: 'webhook_url', message: 'must be an https URL' },
    ])
    assert.deepEqual(await checkField(strict, 'webhook_url', 'https://93.184.216.34/'), [])
    assert.deepEqual(await checkField(strict, 'webhook_url', undefined), [])
    assert.deepEqual(await checkField(strict, 'webhook_url', null), [])
  })
})

describe('an allowed range in development', () => {
  for (const url of [
    'http://127.0.0.1:3000/',
    'https://127.0.0.1:3000/',
    'http://localhost:3000/',
    'http://me.localhost/',
  ])
    test(`may use http and any port: ${url}`, async () => {
      assert.equal(await checkAddress(open, url), undefined)
      assert.notEqual(await checkAddress(strict, url), undefined)
      assert.deepEqual(await findWay(open, new URL(url)), { addresses: ['127.0.0.1'] })
    })

  test('may be a name whose IP addresses are all in the range', async () => {
    names.set('dev.example', { a: ['127.0.0.1', '127.0.0.2'] })
    names.set('half-dev.example', { a: ['127.0.0.1', '93.184.216.34'] })
    names.set('wrong-dev.example', { a: ['127.0.0.1', '10.0.0.1'] })

    assert.equal(await checkAddress(open, 'http://dev.example:3000/'), undefined)
    assert.equal(await checkAddress(open, 'https://half-dev.example/'), undefined)
    assert.equal(await checkAddress(open, 'http://half-dev.example/'), 'must be an https URL')
    assert.match((await checkAddress(open, 'https://wrong-dev.example/'))!, NOT_PUBLIC)
  })

  for (const [url, reason] of [
    ['http://93.184.216.34/', /https/],
    ['http://unknown.example/', /https/],
    ['https://93.184.216.34:3000/', /port/],
    ['http://10.0.0.1/', /https/],
    ['https://10.0.0.1/', NOT_PUBLIC],
    ['https://[::1]/', NOT_PUBLIC],
    ['http://me@127.0.0.1/', /user name/],
    ['ftp://127.0.0.1/', /https/],
    ['https://printer.local/', NOT_PUBLIC],
  ] as const)
    test(`allows nothing else: ${url}`, async () => {
      assert.match((await checkAddress(open, url))!, reason)
    })
})
