import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeInline } from './data-url.ts'
import { FileRefused } from './refused.ts'

// 0xfb 0xff 0xbf is `+/+/` in base64 and `-_-_` in the URL-safe alphabet.
const BYTES = Buffer.from([0xfb, 0xff, 0xbf, 0xfb, 0xff, 0xbf, 0x01])
const BASE64 = BYTES.toString('base64')
const URL_SAFE = BYTES.toString('base64url')
const read = (source: string, bytesMax = 1000) => decodeInline(source, { kind: 'photo', bytesMax })

describe('a file inside JSON', () => {
  const ways: [string, string, string][] = [
    ['as a data URL', `data:image/png;base64,${BASE64}`, 'image/png'],
    ['in upper case', `DATA:IMAGE/PNG;BASE64,${BASE64}`, 'image/png'],
    ['as image/jpg', `data:image/jpg;base64,${BASE64}`, 'image/jpg'],
    ['with parameters', `data:image/png;charset=utf-8;name="a.png";base64,${BASE64}`, 'image/png'],
    ['with spaces in the head', `data: image/png ; base64 ,${BASE64}`, 'image/png'],
    ['without a type', `data:;base64,${BASE64}`, 'application/octet-stream'],
    ['with an invalid type', `data:png;base64,${BASE64}`, 'application/octet-stream'],
    ['without padding', `data:image/png;base64,${BASE64.replaceAll('=', '')}`, 'image/png'],
    ['with too much padding', `data:image/png;base64,${BASE64}=`, 'image/png'],
    ['with line breaks', `data:image/png;base64,${BASE64.replace('+', '\r\n+')}\n`, 'image/png'],
    ['with spaces', ` data:image/png;base64, ${Array.from(BASE64).join(' ')} `, 'image/png'],
    ['in the URL-safe alphabet', `data:image/png;base64,${URL_SAFE}`, 'image/png'],
    ['with escapes', `data:image/png;base64,${encodeURIComponent(BASE64)}`, 'image/png'],
    ['as bare base64', BASE64, 'application/octet-stream'],
    [
      'as bare URL-safe base64 with line breaks',
      `${URL_SAFE.slice(0, 4)}\n${URL_SAFE.slice(4)}`,
      'application/octet-stream',
    ],
  ]
  for (const [how, source, type] of ways)
    test(`is read ${how}`, () => {
      const file = read(source)

      assert.deepEqual([file.bytes.toString('hex'), file.type], [BYTES.toString('hex'), type])
    })

  const refusals: [string, string, RegExp][] = [
    ['', 'nothing', /^must be a base64 data URL/],
    ['   ', 'blanks', /^must be a base64 data URL/],
    ['https://example.com/a.png', 'a URL', /^must be a base64 data URL/],
    ['I was there.', 'a sentence', /^must be a base64 data URL/],
    ['data:image/png,abcd', 'a data URL that is not base64', /^must be a base64 data URL/],
    ['data:image/png;base64', 'a data URL without content', /^must be a base64 data URL/],
    [
      `data:image/png;${'x'.repeat(400)};base64,AAAA`,
      'an unterminated head',
      /^must be a base64 data URL/,
    ],
    ['data:image/png;base64,', 'an empty data URL', /^is empty/],
    ['data:image/png;base64,@@@@', 'characters outside of base64', /^is not valid base64/],
    ['data:image/png;base64,abcde', 'an extra character', /^is not valid base64/],
    ['data:image/png;base64,ab=cd', 'padding in the middle', /^is not valid base64/],
  ]
  for (const [source, what, words] of refusals)
    test(`is refused: ${what}`, () => {
      assert.throws(
        () => read(source),
        (error) => error instanceof FileRefused && words.test(error.message),
      )
    })

  test('spaces do not count toward its size', () => {
    const spaced = Array.from(BASE64).join('\n'.repeat(50))

    assert.equal(read(spaced, BYTES.length).bytes.length, BYTES.length)
    assert.throws(() => read(spaced, BYTES.length - 1), /^.*is larger than/)
  })
})
