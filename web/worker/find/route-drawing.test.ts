import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HEIGHT, pictureOf, WIDTH } from './route-drawing.ts'

const HOME = { lat: 53.5625, lng: 9.964 }

describe('the picture of the way', () => {
  test('contains both ends, near or far', () => {
    for (const near of [
      { lat: 53.56, lng: 9.97 },
      { lat: 53.46, lng: 9.98 },
      { lat: 40.7, lng: -74 },
    ]) {
      const { at } = pictureOf(HOME, near)
      for (const [x, y] of [at(HOME), at(near)])
        assert(x > 0 && x < WIDTH && y > 0 && y < HEIGHT, `${x} ${y}`)
    }
  })

  test('shows the area of the task in the middle if the worker’s place is unknown', () => {
    const { at, areaRadius } = pictureOf(null, HOME)

    assert.deepEqual(at(HOME), [WIDTH / 2, HEIGHT / 2])
    assert(areaRadius > 20)
  })
})
