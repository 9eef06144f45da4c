import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  callOf,
  mapLink,
  pageOf,
  placeOf,
  readDescription,
  telLink,
  titleOf,
} from './brief-rules.ts'

const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel)'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19)'

describe('a brief', () => {
  test('shows the title of the task, or else the first sentence', () => {
    assert.equal(titleOf({ title: 'Bakery', description: 'Go. Look.' }), 'Bakery')
    assert.equal(titleOf({ title: null, description: 'Is it open? Look.' }), 'Is it open?')
    assert.equal(titleOf({ title: null, description: 'word '.repeat(50) }).length <= 91, true)
  })

  test('shows list lines as steps, and does not repeat a sentence used as the title', () => {
    assert.deepEqual(
      readDescription({ title: null, description: 'Is it open? Look.\n\n- Go there\n2) Say so\n' }),
      { paragraphs: ['Look.'], steps: ['Go there', 'Say so'] },
    )
    assert.deepEqual(readDescription({ title: 'Bakery', description: 'Bakery is open?' }), {
      paragraphs: ['Bakery is open?'],
      steps: [],
    })
  })

  test('opens a place in the map app of the phone', () => {
    const place = placeOf({
      location: { address: 'Moorweg 12', lat: 53.6, lng: 9.7 },
      area: 'Wedel',
    })!

    assert.equal(mapLink(place, ANDROID), 'geo:53.6,9.7?q=53.6,9.7(Moorweg%2012)')
    assert.equal(mapLink(place, IPHONE), 'https://maps.apple.com/?q=Moorweg%2012&ll=53.6,9.7')
    assert.equal(
      mapLink(placeOf({ location: 'Moorweg 12', area: null })!, ANDROID),
      'geo:0,0?q=Moorweg%2012',
    )
    assert.equal(placeOf({ location: null, area: null }), null)
  })

  test('links a phone number only if it can be called', () => {
    assert.equal(telLink('+49 (4103) 55-51'), 'tel:+4941035551')
    assert.equal(telLink('… 51'), null)
    assert.equal(telLink('+14155552671 x123'), 'tel:+14155552671,123')
    assert.equal(telLink('555-0123'), 'tel:5550123')
    assert.equal(telLink('611'), null)
    assert.equal(telLink('611', { digitsMin: 2 }), 'tel:611')
    assert.equal(telLink('*123#', { digitsMin: 2 }), 'tel:*123%23')
    assert.equal(telLink(null), null)
    assert.deepEqual(callOf({ type: 'voice_proxy', context: { number: '5551' } }), {
      number: '5551',
      script: null,
    })
    assert.equal(callOf({ type: 'custom', context: { number: '5551' } }), null)
  })

  test('links only http and https URLs', () => {
    assert.equal(pageOf({ context: { url: 'https://example.com/' } }), 'https://example.com/')
    assert.equal(pageOf({ context: { url: 'javascript:alert(1)' } }), null)
  })
})
