import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deviceOf } from './device-words.ts'

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)'

describe('the words for a device', () => {
  const cases: [string, string, string | null, string | null][] = [
    [
      'a phone with Android',
      `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${KHTML} Chrome/130.0.0.0 Mobile Safari/537.36`,
      'Chrome',
      'Android',
    ],
    [
      'an iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1',
      'Safari',
      'iPhone',
    ],
    [
      'Edge, which also names Chrome',
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0`,
      'Edge',
      'Windows',
    ],
    [
      'Firefox on a Mac',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0',
      'Firefox',
      'Mac',
    ],
    ['a program', 'node', null, null],
    ['an absurdly long header', `${'x'.repeat(10_000)} Firefox/1`, null, null],
  ]
  for (const [name, header, browser, system] of cases)
    test(name, () => assert.deepEqual(deviceOf(header), { browser, system }))

  test('no header', () => assert.deepEqual(deviceOf(undefined), { browser: null, system: null }))
})
