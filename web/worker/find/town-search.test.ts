import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { drawWorld, listTowns } from '../build/geo.ts'
import { plainOf, searchTowns, townsIn } from './town-search.ts'
import { points } from './steps.ts'

const list = listTowns()
const world = drawWorld()
const towns = townsIn(JSON.parse(list))
const names = new Intl.DisplayNames('en', { type: 'region' })
const search = (query: string) =>
  searchTowns(towns, query, { limit: 6, countryName: (code) => names.of(code)! })

describe('the place search', () => {
  test('finds towns without accents and case, the largest first', () => {
    assert.equal(search('sao paulo')[0]?.name, 'São Paulo')
    assert.equal(search('MÜNST')[0]?.name, 'Münster')
    assert.deepEqual(['Łódź', 'Großenhain', 'Ørsta', 'Iğdır'].map(plainOf), [
      'lodz',
      'grossenhain',
      'orsta',
      'igdir',
    ])
  })

  test('knows a town of 30,000, and tells towns of the same name apart by their country', () => {
    assert.deepEqual(search('wedel, ger')[0], {
      key: 'Wedel DE 53.58 9.7',
      name: 'Wedel',
      detail: 'Germany',
      lat: 53.58,
      lng: 9.7,
    })
    assert.equal(search('birmingham, united states')[0]?.detail, 'United States')
    assert.equal(search('birmingham')[0]?.detail, 'United Kingdom')
  })

  test('finds nothing for a single letter or an unknown name', () => {
    assert.deepEqual(search('h'), [])
    assert.deepEqual(search('Nowhereville'), [])
  })

  test('is at most 300 KB compressed, and the world map 150', () => {
    assert(gzipSync(list).length < 300_000)
    assert(gzipSync(world).length < 150_000)
  })
})

describe('the world map', () => {
  test('stays within the plane, so no shape crosses the 180th meridian', () => {
    const { land } = JSON.parse(world) as { land: number[][][] }
    const corners = land.flat().flatMap(points)

    assert(corners.every(([lng, lat]) => Math.abs(lng!) <= 180 && Math.abs(lat!) <= 85))
    assert(land.every(([outline]) => points(outline!).length >= 4))
  })
})
