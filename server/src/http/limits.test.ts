import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addressKey, policies, publicAddress } from './limits.ts'

describe('limits', () => {
  test('the defaults are those of the specification', () => {
    const { global, address, create, register, login, notify, ...others } = policies()

    assert.deepEqual(global, { name: 'global', limit: 100, windowMs: 60_000 })
    assert.deepEqual(address, { name: 'address', limit: 1_000, windowMs: 60_000 })
    assert.deepEqual(create, { name: 'create', limit: 30, windowMs: 60_000 })
    assert.deepEqual(register, { name: 'register', limit: 20, windowMs: 3_600_000 })
    assert.deepEqual(login, { name: 'login', limit: 10, windowMs: 900_000 })
    assert.deepEqual(notify, { name: 'notify', limit: 6_000, windowMs: 60_000 })
    assert.deepEqual(others, {
      register_worker: { name: 'register_worker', limit: 20, windowMs: 3_600_000 },
      register_test_agent: { name: 'register_test_agent', limit: 20, windowMs: 3_600_000 },
      register_client: { name: 'register_client', limit: 20, windowMs: 3_600_000 },
      log_in_link: { name: 'log_in_link', limit: 10, windowMs: 3_600_000 },
      login_console: { name: 'login_console', limit: 10, windowMs: 900_000 },
      recover: { name: 'recover', limit: 10, windowMs: 3_600_000 },
      no_contact: { name: 'no_contact', limit: 10, windowMs: 3_600_000 },
      export: { name: 'export', limit: 5, windowMs: 3_600_000 },
      login_play: { name: 'login_play', limit: 10, windowMs: 900_000 },
    })
  })

  test('a setting replaces only its default', () => {
    const settings = { create: { limit: 5, windowMs: 2_000 } }

    const { create, global } = policies(settings)

    assert.deepEqual(create, { name: 'create', limit: 5, windowMs: 2_000 })
    assert.equal(global.limit, 100)
  })

  test('a limit below 1 or a window that is not whole seconds is refused', () => {
    const bad = [
      { limit: 0, windowMs: 1_000 },
      { limit: 1.5, windowMs: 1_000 },
      { limit: Number.NaN, windowMs: 1_000 },
      { limit: 1, windowMs: 1_500 },
      { limit: 1, windowMs: 0 },
    ]

    for (const login of bad) assert.throws(() => policies({ login }), /limit login/)
  })
})

describe('the rate limit key of an IP address', () => {
  for (const [ip, key] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0001::', '2001:db8:0:1::/64'],
    ['2001:db8:1:2:3:4:203.0.113.7', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['', 'unknown'],
    ['203.0.113.07', 'unknown'],
    ['203.0.113.7, 10.0.0.1', 'unknown'],
  ] as const) {
    test(`of ${JSON.stringify(ip)} is ${key}`, () => {
      assert.equal(addressKey(ip), key)
    })
  }

  test('is the same for every spelling, and for a whole /64', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    const eight = fc.array(group, { minLength: 8, maxLength: 8 })

    fc.assert(
      fc.property(eight, eight, (groups, others) => {
        fc.pre(groups.slice(0, 4).some((g) => g !== 0))
        const long = groups.map((g) => g.toString(16).padStart(4, '0').toUpperCase()).join(':')
        const short = new URL(`http://[${long}]`).hostname.slice(1, -1)
        const neighbor = [...groups.slice(0, 4), ...others.slice(4)]
          .map((g) => g.toString(16))
          .join(':')

        assert.equal(addressKey(short), addressKey(long))
        assert.equal(addressKey(neighbor), addressKey(long))
      }),
    )
  })

  test('differs between two /64', () => {
    const a = addressKey('2001:db8:0:1::1')
    const b = addressKey('2001:db8:0:2::1')

    assert.notEqual(a, b)
  })
})

describe('the stored registration IP address', () => {
  test('is normalized like the rate limit key', () => {
    assert.equal(publicAddress('203.0.113.9'), '203.0.113.9')
    assert.equal(publicAddress('2001:db8:1:2::7'), '2001:db8:1:2::/64')
  })

  for (const ip of [
    '127.0.0.1',
    '10.1.2.3',
    '192.168.0.7',
    '172.31.0.1',
    '169.254.1.1',
    '100.64.0.1',
  ])
    test(`is omitted if it is not public: ${ip}`, () => {
      assert.equal(publicAddress(ip), undefined)
      assert.equal(publicAddress(`::ffff:${ip}`), undefined)
    })

  for (const ip of ['::1', 'fe80::1', 'fd00::1', 'nonsense'])
    test(`is omitted for ${ip}`, () => assert.equal(publicAddress(ip), undefined))
})
