import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  API_KEY_PATTERN,
  isWellFormedApiKey,
  keepSecret,
  keptPrefix,
  mintApiKey,
  mintLinkToken,
  mintWebhookSecret,
  readSecret,
  seal,
  sha256,
  shardOfApiKey,
  shardOfLinkToken,
  unseal,
} from './secrets.ts'

describe('the token of an emailed link', () => {
  test('contains the shard of its owner, and has 43 characters for a URL', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4095 }), (shard) => {
        const token = mintLinkToken(shard)

        assert.match(token, /^[\w-]{43}$/)
        assert.equal(shardOfLinkToken(token), shard)
      }),
    )
  })

  test('that somebody has invented is looked up in a shard that exists', () => {
    fc.assert(
      fc.property(fc.string(), (token) => {
        const shard = shardOfLinkToken(token)

        assert(shard >= 0 && shard < 4096)
      }),
    )
  })
})

describe('an API key', () => {
  for (const mode of ['live', 'test'] as const)
    test(`of ${mode} mode contains the mode, has a fixed length, and a valid checksum`, () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 4095 }), (shard) => {
          const key = mintApiKey(mode, shard)

          assert.match(key, API_KEY_PATTERN)
          assert(key.startsWith(`lw_${mode}_`))
          assert.equal(key.length, 60)
          assert(isWellFormedApiKey(key))
        }),
      )
    })

  test('contains the shard of its agent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4095 }), (shard) => {
        assert.equal(shardOfApiKey(mintApiKey('live', shard)), shard)
      }),
    )
  })

  test('with a shard that does not exist is looked up in the first one', () => {
    assert.equal(shardOfApiKey(`lw_live_zzz${'0'.repeat(49)}`), 0)
  })

  test('is unique', () => {
    const keys = Array.from({ length: 1000 }, () => mintApiKey('live', 0))

    assert.equal(new Set(keys).size, keys.length)
  })

  test('with any one character changed fails the checksum', () => {
    const key = mintApiKey('live', 1234)
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: key.length - 1 }),
        fc.constantFrom(...'0123456789ABCxyz_-'.split('')),
        (at, character) => {
          fc.pre(key[at] !== character)

          assert.equal(isWellFormedApiKey(key.slice(0, at) + character + key.slice(at + 1)), false)
        },
      ),
    )
  })

  test('with another mode, truncated, extended or empty fails the checksum', () => {
    const key = mintApiKey('test', 5)

    for (const wrong of [
      key.replace('test', 'live'),
      key.slice(0, -1),
      `${key}0`,
      `${key}\n`,
      ` ${key}`,
      '',
      'lw_live_',
    ])
      assert.equal(isWellFormedApiKey(wrong), false)
  })
})

describe('a webhook secret', () => {
  test('is whsec_ and 32 random bytes in base64', () => {
    const [one, other] = [mintWebhookSecret(), mintWebhookSecret()]

    assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(Buffer.from(one.slice(6), 'base64').length, 32)
    assert.notEqual(one, other)
  })
})

describe('a sealed text', () => {
  test('is opened with its passphrase, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 1 }), (text, phrase) => {
        assert.equal(unseal(seal(text, phrase), phrase), text)
      }),
    )
  })

  test('does not contain the text, and differs each time', () => {
    const [one, other] = [seal('a secret to keep', 'phrase'), seal('a secret to keep', 'phrase')]

    assert.notEqual(one, other)
    for (const sealed of [one, other]) {
      assert(!sealed.includes('secret'))
      assert(!Buffer.from(sealed, 'base64').toString('latin1').includes('secret'))
    }
  })

  test('is not opened by another passphrase', () => {
    const sealed = seal('text', 'phrase')

    assert.throws(() => unseal(sealed, 'phrasE'))
  })

  test('is not opened after a bit flip', () => {
    const bytes = Buffer.from(seal('some text', 'phrase'), 'base64')

    for (let i = 0; i < bytes.length; i += 1) {
      const changed = Buffer.from(bytes)
      changed[i] = changed[i]! ^ 1
      assert.throws(() => unseal(changed.toString('base64'), 'phrase'))
    }
  })
})

describe('a stored secret', () => {
  const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
  const owner = 'agent_1'

  test('is opened for any text, also after its key is no longer the first', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (secret, of) => {
        const kept = keepSecret(secret, { keys: [first], owner: of })

        assert.equal(readSecret(kept, { keys: [first], owner: of }), secret)
        assert.equal(readSecret(kept, { keys: [second, first], owner: of }), secret)
      }),
    )
  })

  test('does not contain the secret, and differs each time', () => {
    const secret = mintWebhookSecret()
    const keep = () => keepSecret(secret, { keys: [first, second], owner })
    const [one, other] = [keep(), keep()]

    assert.notEqual(one, other)
    for (const kept of [one, other]) {
      assert(kept.startsWith(keptPrefix({ keys: [first] })))
      assert(!kept.includes(secret.slice(6)))
      assert(!Buffer.from(kept.split('_')[2]!, 'base64').toString('latin1').includes(secret))
    }
  })

  test('is opened only for its owner and with its own key', () => {
    const kept = keepSecret('secret', { keys: [first], owner })

    assert.throws(() => readSecret(kept, { keys: [first], owner: 'agent_2' }))
    assert.throws(() => readSecret(kept, { keys: [second], owner }), /which is not configured/)
    assert.throws(() => readSecret(kept, { keys: [], owner }), /which is not configured/)
  })

  test('is not opened after one of its bits was flipped', () => {
    const kept = keepSecret('secret', { keys: [first], owner })
    const prefix = keptPrefix({ keys: [first] })
    const bytes = Buffer.from(kept.slice(prefix.length), 'base64')

    for (let i = 0; i < bytes.length; i += 1) {
      const changed = Buffer.from(bytes)
      changed[i] = changed[i]! ^ 1
      assert.throws(() => readSecret(prefix + changed.toString('base64'), { keys: [first], owner }))
    }
  })

  test('is stored in plain text without keys, and can be read when there are some', () => {
    const secret = mintWebhookSecret()

    const kept = keepSecret(secret, { keys: [], owner })

    assert.equal(kept, secret)
    assert.equal(readSecret(kept, { keys: [first], owner }), secret)
    assert.equal(keptPrefix({ keys: [] }), '')
  })
})

describe('sha256', () => {
  test('is the standard hash, in hexadecimal', () => {
    assert.equal(sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
