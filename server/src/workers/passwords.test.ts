import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { commonPasswords, isCommonPassword } from './common-passwords.ts'
import { hashPassword, NewPassword, verifyPassword } from './passwords.ts'

describe('a password hash', () => {
  test('is a PHC string of Argon2id with 19 MiB, 2 passes, 1 lane, and differs each time', async () => {
    const hashes = [await hashPassword('a password'), await hashPassword('a password')]

    for (const hash of hashes)
      assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
    assert.notEqual(hashes[0], hashes[1])
  })

  test('matches only its password', async () => {
    const hash = await hashPassword('pässword 🦊')

    assert.deepEqual(await verifyPassword('pässword 🦊', hash), {
      isRight: true,
      isOutdated: false,
    })
    for (const other of ['passwort 🦊', 'pässword 🦊 ', 'pässword 🦊'.normalize('NFD'), ''])
      assert.equal((await verifyPassword(other, hash)).isRight, false)
  })

  test('of another program matches as well, and is outdated', async () => {
    // Made with the reference implementation: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32 -e
    const hash =
      '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'

    assert.deepEqual(await verifyPassword('password', hash), { isRight: true, isOutdated: true })
    assert.equal((await verifyPassword('passwort', hash)).isRight, false)
  })

  test('in an unknown format never matches', async () => {
    for (const hash of [undefined, '', 'none', '$2b$10$x', '$argon2id$v=19$m=19456,t=2,p=1$$'])
      assert.equal((await verifyPassword('password', hash)).isRight, false)
  })

  test('takes measurable time', async (t) => {
    const hash = await hashPassword('a password')
    const times: number[] = []
    for (let i = 0; i < 20; i += 1) {
      const start = performance.now()
      await verifyPassword('a password', hash)
      times.push(performance.now() - start)
    }
    const median = times.sort((a, b) => a - b)[10]!

    t.diagnostic(`one hash takes ${median.toFixed(1)} ms`)
    assert(median > 1, 'the hash is really computed')
  })
})

describe('a new password', () => {
  for (const [words, password, isTaken] of [
    ['7 characters', '1234567', false],
    ['8 characters', '12345678', true],
    ['7 emoji', '🦊'.repeat(7), false],
    ['8 emoji', '🦊'.repeat(8), true],
    ['128 characters', 'x'.repeat(128), true],
    ['128 emoji', '🦊'.repeat(128), true],
    ['129 characters', 'x'.repeat(129), false],
    ['129 emoji', '🦊'.repeat(129), false],
    ['8 spaces', ' '.repeat(8), true],
  ] as const)
    test(`of ${words} is ${isTaken ? 'accepted' : 'refused'}`, () => {
      assert.equal(NewPassword.safeParse(password).success, isTaken)
    })
})

describe('the list of common passwords', () => {
  test('has more than 3,000 that are long enough to be chosen', (t) => {
    t.diagnostic(`${commonPasswords().size} passwords`)
    assert(commonPasswords().size >= 3000)
    for (const password of commonPasswords()) assert(password.length >= 8, password)
  })

  const KNOWN = `
    password password1 password123 passw0rd p@ssw0rd 12345678 123456789 1234567890 87654321
    11111111 00000000 12341234 123123123 147258369 qwertyuiop qwerty123 asdfghjkl 1q2w3e4r 1qaz2wsx
    zaq12wsx qwer1234 iloveyou iloveyou1 sunshine princess football baseball superman trustno1
    starwars letmein1 welcome1 admin123 abc12345 abcd1234 michelle jennifer michael1 charlie1
    liverpool1 summer2024 changeme`
  for (const password of KNOWN.trim().split(/\s+/))
    test(`contains ${password}`, () => {
      assert(isCommonPassword(password))
    })

  for (const password of ['correct horse battery staple', 'tr0ub4dor&3', 'vkqzjxbw', '48213975'])
    test(`does not contain ${password}`, () => {
      assert(!isCommonPassword(password))
    })
})
