import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { areaOf, countryOf, countryOfZone, geocode } from './geocode.ts'

const labelOf = (text: string) => geocode(text)?.label

describe('geocode', () => {
  test('finds a city by its name, in any case, with or without accents', () => {
    for (const text of ['Berlin', 'berlin', ' BERLIN ', 'Bérlin'])
      assert.equal(labelOf(text), 'Berlin, Germany')
    assert.equal(labelOf('zurich'), 'Zürich, Switzerland')
    assert.equal(labelOf('São Paulo'), labelOf('sao paulo'))
  })

  test('parses an address by its parts', () => {
    const texts = [
      'Berlin, Germany',
      'Main Street 5, Berlin',
      'Unter den Linden 77, 10117 Berlin, Germany',
      'Mitte, Berlin, DE',
      'Main Street 5\nBerlin',
    ]

    for (const text of texts) assert.equal(labelOf(text), 'Berlin, Germany', text)
    assert.equal(labelOf('Pennsylvania Ave 1600, Washington, DC'), labelOf('Washington, D.C.'))
  })

  test('prefers the largest of cities with one name, unless a country or a state is given', () => {
    assert.equal(labelOf('London'), 'London, United Kingdom')
    assert.equal(labelOf('London, Ontario'), 'London, Canada')
    assert.equal(labelOf('London, CA'), 'London, Canada')
    assert.equal(labelOf('London, UK'), 'London, United Kingdom')
    assert.match(labelOf('Vancouver') ?? '', /Canada$/)
    assert.match(labelOf('Vancouver, Washington') ?? '', /America$/)
  })

  test('finds nothing rather than another place of that name', () => {
    for (const text of ['Paris, Texas', 'Main Street 5', 'Germany', '', ' , ', 'Nowhere at all'])
      assert.equal(geocode(text), undefined, text)
  })

  test('has coordinates that are on the Earth', () => {
    const { lat, lng } = geocode('Berlin')!

    assert(Math.abs(lat - 52.52) < 0.1 && Math.abs(lng - 13.4) < 0.1)
  })

  test('accepts any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), (text) => {
        const found = geocode(text)
        assert(found === undefined || Math.abs(found.lat) <= 90)
      }),
    )
  })
})

describe('areaOf', () => {
  test('names the city that a point is in or near', () => {
    assert.equal(areaOf({ lat: 52.5, lng: 13.45 }), 'Berlin')
    assert.equal(areaOf({ lat: 52.39, lng: 13.06 }), 'Potsdam')
    assert.equal(areaOf({ lat: 52.7, lng: 12.5 }), 'near Potsdam')
    assert.equal(areaOf('Main Street 5, Berlin'), 'Berlin')
  })

  test('is empty for a place that is near no city', () => {
    assert.equal(areaOf({ lat: 0, lng: -140 }), undefined)
    assert.equal(areaOf({ lat: 90, lng: 0 }), undefined)
    assert.equal(areaOf('Nowhere at all'), undefined)
  })

  test('works across the date line', () => {
    const west = areaOf({ lat: -16.8, lng: 179.99 })

    assert.equal(areaOf({ lat: -16.8, lng: -179.99 }), west)
    assert(west)
  })
})

describe('countryOf', () => {
  test('is the country of the city, of the point, or at the end of the text', () => {
    const read: [string | { lat: number; lng: number }, string | undefined][] = [
      ['London', 'GB'],
      ['10 Downing St, London SW1A 2AA, UK', 'GB'],
      ['A village, England', 'GB'],
      ['Germany', 'DE'],
      [{ lat: 51.5, lng: -0.12 }, 'GB'],
      [{ lat: 0, lng: -140 }, undefined],
      ['nowhere', undefined],
    ]

    for (const [place, country] of read) assert.equal(countryOf(place), country)
  })
})

describe('countryOfZone', () => {
  for (const [zone, country] of [
    ['Europe/Berlin', 'DE'],
    ['America/New_York', 'US'],
    ['Europe/Kyiv', 'UA'],
    ['Asia/Kolkata', 'IN'],
    ['Asia/Calcutta', 'IN'],
    ['America/Sao_Paulo', 'BR'],
    ['UTC', undefined],
    ['Nowhere/At_All', undefined],
  ] as const)
    test(`${zone} is in ${country}`, () => assert.equal(countryOfZone(zone), country))
})
