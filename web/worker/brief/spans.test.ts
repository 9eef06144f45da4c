import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSpans, shownAddress } from './spans.ts'

describe('a line of text', () => {
  test('has links that show their real host', () => {
    assert.deepEqual(readSpans('See https://www.example.com/menu?x=1.'), [
      { kind: 'text', text: 'See ' },
      { kind: 'link', href: 'https://www.example.com/menu?x=1', text: 'example.com/menu?x=1' },
      { kind: 'text', text: '.' },
    ])
    assert.equal(shownAddress('https://bank.example@evil.example/')!.text, 'evil.example')
    assert.deepEqual(readSpans('[your bank](https://evil.example/)'), [
      { kind: 'link', href: 'https://evil.example/', text: 'your bank (evil.example)' },
    ])
    assert.equal(readSpans('[bank.example](https://evil.example/)')[0]!.text, 'evil.example')
    assert.equal(shownAddress('javascript:alert(1)'), null)
  })

  test('has emphasis instead of marks, and leaves other stars and underscores alone', () => {
    assert.deepEqual(readSpans('Take **two** photos'), [
      { kind: 'text', text: 'Take ' },
      { kind: 'strong', text: 'two' },
      { kind: 'text', text: ' photos' },
    ])
    assert.deepEqual(readSpans('5 * 3 * 2, pickup_code_2'), [
      { kind: 'text', text: '5 * 3 * 2, pickup_code_2' },
    ])
  })

  test('has international phone numbers', () => {
    assert.deepEqual(readSpans('Call +49 40 66969 142.'), [
      { kind: 'text', text: 'Call ' },
      { kind: 'phone', text: '+49 40 66969 142' },
      { kind: 'text', text: '.' },
    ])
    assert.equal(readSpans('10:05 to 10:25, 143 adults').length, 1)
  })

  test('has blanks, in a script only', () => {
    assert.deepEqual(readSpans('I am [your name]. ___', { isScript: true }), [
      { kind: 'text', text: 'I am ' },
      { kind: 'blank', text: 'your name' },
      { kind: 'text', text: '. ' },
      { kind: 'blank', text: '___' },
    ])
    assert.equal(readSpans('Ready? [pause]', { isScript: true })[1]!.kind, 'pause')
    assert.equal(readSpans('I am [your name].').length, 1)
  })

  test('is read in time that grows with its length only, whatever it contains', () => {
    for (const text of [
      '*',
      '**a',
      '[a',
      '[a](http://',
      '__',
      '+1 ',
      'http://a.b ',
      '`a',
      '{a',
      ' ',
    ]) {
      const start = performance.now()
      readSpans(text.repeat(100_000 / text.length), { isScript: true })
      const ms = performance.now() - start
      assert(ms < 1000, `${text} takes ${ms} ms`)
    }
  })
})
