import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { boundsAround, boundsOf, canSplit, circleAround, groupsOf } from './groups.ts'

const at = (id: string, lat: number, lng: number) => ({ id, near: { lat, lng } })
const wedel = [at('a', 53.58, 9.7), at('b', 53.59, 9.72), at('c', 53.58, 9.7)]
const osaka = at('d', 34.69, 135.5)

describe('pins on the map', () => {
  test('the pins of a town merge when zoomed out; those of different continents do not', () => {
    const groups = groupsOf([...wedel, osaka], 2)

    assert.deepEqual(
      groups.map(({ key }) => key),
      ['a b c', 'd'],
    )
  })

  test('only pins at the same spot merge when zoomed in', () => {
    const groups = groupsOf(wedel, 14)

    assert.deepEqual(
      groups.map(({ key }) => key),
      ['a c', 'b'],
    )
    assert.equal(canSplit(groups[0]!.members), false)
    assert.equal(canSplit(wedel), true)
  })

  test('the map opens with all pins in view', () => {
    assert.deepEqual(boundsOf(wedel.map(({ near }) => near)), [9.7, 53.58, 9.72, 53.59])
    assert.equal(boundsOf([]), undefined)
  })

  test('the accuracy circle has its true size on the ground', () => {
    const ring = circleAround({ lat: 60, lng: 10 }, 1000)
    const [east] = ring[0]!

    // At 60° latitude a degree of longitude is half as long as one of latitude: 55.6 km.
    assert(Math.abs((east - 10) * 55.6 - 1) < 0.01)
    assert.deepEqual(
      ring[0],
      ring.at(-1)?.map((degrees, i) => ring[0]![i] ?? degrees),
    )
  })

  test('the first view has the worker in the middle and the nearest tasks inside', () => {
    const me = { lat: 53.58, lng: 9.71 }
    const near = wedel.map((one) => one.near)

    const bounds = boundsAround(me, [...near, osaka.near], 3)!
    const [west, south, east, north] = bounds

    assert.ok(
      Math.abs((west + east) / 2 - me.lng) < 1e-9 && Math.abs((south + north) / 2 - me.lat) < 1e-9,
    )
    assert.ok(
      near.every(({ lat, lng }) => lng >= west && lng <= east && lat >= south && lat <= north),
    )
    assert.ok(east < osaka.near.lng)
    assert.equal(boundsAround(me, [], 3), undefined)
  })
})
