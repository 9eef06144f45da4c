import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  isQuiet,
  mapLink,
  numberOf,
  placeOf,
  shownNumber,
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
    assert.equal(numberOf({ type: 'voice_proxy', context: { number: '5551' } }), '5551')
    const context = { number_written: '+49 40 66969 142' }
    assert.equal(shownNumber({ context }, '+494066969142'), '+49 40 66969 142')
    assert.equal(shownNumber({ context: { number_written: '040 1' } }, '+49401'), '+49401')
    assert.equal(numberOf({ type: 'custom', context: { number: '5551' } }), null)
  })

  test('says when not to call, by the clock of the number', () => {
    const hours = { time_zone: 'Asia/Tokyo', from: 8, until: 21 }
    const quietAt = (time: string) => isQuiet(hours, Date.parse(`2026-01-15T${time}:00Z`))

    assert.deepEqual(['22:59', '23:00', '11:59', '12:00'].map(quietAt), [true, false, false, true])
  })
})
