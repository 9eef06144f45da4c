import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPublic } from './public-ranges.ts'

/** The first and last address of each range, and the adjacent addresses if they are public. */
const RANGES: { from: string; to: string; before?: string; after?: string }[] = [
  { from: '0.0.0.0', to: '0.255.255.255', after: '1.0.0.0' },
  { from: '10.0.0.0', to: '10.255.255.255', before: '9.255.255.255', after: '11.0.0.0' },
  { from: '100.64.0.0', to: '100.127.255.255', before: '100.63.255.255', after: '100.128.0.0' },
  { from: '127.0.0.0', to: '127.255.255.255', before: '126.255.255.255', after: '128.0.0.0' },
  { from: '168.63.129.16', to: '168.63.129.16', before: '168.63.129.15', after: '168.63.129.17' },
  { from: '169.254.0.0', to: '169.254.255.255', before: '169.253.255.255', after: '169.255.0.0' },
  { from: '172.16.0.0', to: '172.31.255.255', before: '172.15.255.255', after: '172.32.0.0' },
  { from: '192.0.0.0', to: '192.0.0.255', before: '191.255.255.255', after: '192.0.1.0' },
  { from: '192.0.2.0', to: '192.0.2.255', before: '192.0.1.255', after: '192.0.3.0' },
  { from: '192.31.196.0', to: '192.31.196.255', before: '192.31.195.255', after: '192.31.197.0' },
  { from: '192.52.193.0', to: '192.52.193.255', before: '192.52.192.255', after: '192.52.194.0' },
  { from: '192.88.99.0', to: '192.88.99.255', before: '192.88.98.255', after: '192.88.100.0' },
  { from: '192.168.0.0', to: '192.168.255.255', before: '192.167.255.255', after: '192.169.0.0' },
  { from: '192.175.48.0', to: '192.175.48.255', before: '192.175.47.255', after: '192.175.49.0' },
  { from: '198.18.0.0', to: '198.19.255.255', before: '198.17.255.255', after: '198.20.0.0' },
  { from: '198.51.100.0', to: '198.51.100.255', before: '198.51.99.255', after: '198.51.101.0' },
  { from: '203.0.113.0', to: '203.0.113.255', before: '203.0.112.255', after: '203.0.114.0' },
  { from: '224.0.0.0', to: '255.255.255.255', before: '223.255.255.255' },
  { from: '::', to: '1fff:ffff::', after: '2000::' },
  { from: '2001::', to: '2001:1ff:ffff::', before: '2000:ffff::', after: '2001:200::' },
  { from: '2001:db8::', to: '2001:db8:ffff::', before: '2001:db7:ffff::', after: '2001:db9::' },
  { from: '2002::', to: '2002:ffff::', before: '2001:ffff::', after: '2003::' },
  {
    from: '2620:4f:8000::',
    to: '2620:4f:8000:ffff::',
    before: '2620:4f:7fff::',
    after: '2620:4f:8001::',
  },
  { from: '3ffe::', to: '3ffe:ffff::', before: '3ffd:ffff::', after: '3fff:1000::' },
  { from: '3fff::', to: '3fff:fff:ffff::', after: '3fff:1000::' },
  { from: '4000::', to: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', before: '3fff:ffff::' },
]

describe('isPublic', () => {
  for (const { from, to, before, after } of RANGES)
    test(`is false from ${from} to ${to}, and true beside them`, () => {
      assert.deepEqual([isPublic(from), isPublic(to)], [false, false])
      for (const neighbor of [before, after])
        if (neighbor !== undefined) assert(isPublic(neighbor), neighbor)
    })

  for (const [what, addresses] of [
    ['mapped', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '0:0:0:0:0:FFFF:808:808']],
    ['compatible', ['::127.0.0.1', '::8.8.8.8']],
    ['translated', ['64:ff9b::8.8.8.8', '64:ff9b:1::808:808', '::ffff:0:8.8.8.8']],
    [
      'tunnelled',
      [
        '2600::5efe:a00:1',
        '2600:1:2:3:0:5efe:10.0.0.1',
        '2600:1:2:3:200:5EFE:a00:1',
        '2600::5efe:0:0',
      ],
    ],
  ] as const)
    test(`is false for an IPv4 address ${what} into IPv6`, () => {
      assert.deepEqual(
        addresses.filter((address) => isPublic(address)),
        [],
      )
    })

  test('is false for an invalid address, and for one with a zone', () => {
    for (const text of [
      '',
      'localhost',
      '8.8.8',
      '8.8.8.8.',
      '2600::1%lo',
      '[2600::1]',
      '010.0.0.1',
    ])
      assert.equal(isPublic(text), false, text)
  })
})
