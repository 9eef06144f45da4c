import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Check, checkPhoto, distanceM, type PhotoContext } from './checks.ts'
import type { Evidence } from './clean-image.ts'

const PARIS = { lat: 48.8584, lng: 2.2945 }
const NORTH = (meters: number) => ({ lat: PARIS.lat + meters / 111_195, lng: PARIS.lng })
const accepted_at = new Date('2026-11-02T10:00:00Z')
const now = new Date('2026-11-02T12:00:00Z')
const GOOD: Evidence = { brightness: 120, sharpness: 2 }

function check(name: Check['name'], evidence: Evidence, context: Partial<PhotoContext> = {}) {
  const given = { dhash: '00ff00ff00ff00ff', lookalikes: [], place: undefined, device: undefined }
  const checks = checkPhoto(evidence, { ...given, accepted_at, now, ...context })
  return checks.find((one) => one.name === name)
}
const alike = (distance: number, is_same_file = false) => ({
  file_id: 'upl_1',
  created_at: new Date('2026-10-01T00:00:00Z'),
  is_same_file,
  distance,
})

describe('a photo', () => {
  for (const [what, lookalikes, result] of [
    ['that is new', [], 'pass'],
    ['whose file was sent before', [alike(0, true)], 'fail'],
    ['whose picture was sent before', [alike(3)], 'fail'],
    ['that looks like another', [alike(4)], 'warn'],
    ['that looks somewhat like another', [alike(10)], 'warn'],
  ] as const)
    test(`${what}: ${result}`, () => {
      assert.equal(check('duplicate_photo', GOOD, { lookalikes: [...lookalikes] })?.result, result)
    })

  for (const [taken_at, result] of [
    ['2026-11-02T10:00:00Z', 'pass'],
    ['2026-11-02T11:59:00Z', 'pass'],
    ['2026-11-02T09:59:00Z', 'pass'],
    ['2026-11-02T12:01:30Z', 'pass'],
    ['2026-11-02T09:30:00Z', 'warn'],
    ['2026-11-02T12:30:00Z', 'warn'],
    ['2025-11-02T11:00:00Z', 'warn'],
  ] as const)
    test(`taken at ${taken_at}, while the task was held from 10 to 12: ${result}`, () => {
      assert.equal(check('photo_time', { ...GOOD, taken_at })?.result, result)
    })

  for (const [taken_at_local, result] of [
    ['2026-11-02T11:00:00', 'pass'],
    ['2026-11-03T01:30:00', 'pass'],
    ['2026-11-01T22:30:00', 'pass'],
    ['2026-11-01T21:30:00', 'warn'],
    ['2026-11-03T03:00:00', 'warn'],
  ] as const)
    test(`taken at ${taken_at_local} in some time zone: ${result}`, () => {
      assert.equal(check('photo_time', { ...GOOD, taken_at_local })?.result, result)
    })

  test('without a time is not checked for time', () => {
    assert.equal(check('photo_time', GOOD), undefined)
    assert.match(check('photo_metadata', GOOD)?.note ?? '', /no metadata about where or when/)
  })

  for (const [meters, more, result] of [
    [0, {}, 'pass'],
    [240, {}, 'pass'],
    [260, {}, 'warn'],
    [1990, {}, 'warn'],
    [2100, {}, 'fail'],
    [9000, {}, 'fail'],
    [900, { radius_m: 1000 }, 'pass'],
    [60, { radius_m: 50 }, 'warn'],
    [4900, { radius_m: 5000 }, 'pass'],
    [5100, { radius_m: 5000 }, 'fail'],
  ] as const)
    test(`${meters} m from the place ${JSON.stringify(more)}: ${result}`, () => {
      const context = { place: { ...PARIS, ...more } }

      assert.equal(check('photo_place', { ...GOOD, ...NORTH(meters) }, context)?.result, result)
    })

  test('is given the benefit of its inaccuracy, up to a kilometer', () => {
    const at = (meters: number, accuracy_m: number) =>
      check('photo_place', { ...GOOD, ...NORTH(meters), accuracy_m }, { place: PARIS })?.result

    assert.deepEqual([at(300, 100), at(1200, 5000), at(1300, 5000)], ['pass', 'pass', 'warn'])
    assert.equal(at(50_000, 100_000), 'fail')
  })

  test('is checked by the farther of its own and the device’s position', () => {
    const place = PARIS

    const apart = check('photo_place', { ...GOOD, ...PARIS }, { place, device: NORTH(5000) })
    const alone = check('photo_place', GOOD, { place, device: NORTH(100) })
    const neither = check('photo_place', GOOD, { place })
    const nowhere = check('photo_place', { ...GOOD, ...PARIS }, { place: undefined })

    assert.equal(apart?.result, 'fail')
    assert.match(apart.note, /^The device reports a location 5\.0 km from the place$/)
    assert.equal(alone?.result, 'pass')
    assert.equal(neither, undefined)
    assert.equal(nowhere, undefined)
  })

  for (const [evidence, result] of [
    [{ brightness: 120, sharpness: 2 }, 'pass'],
    [{ brightness: 10, sharpness: 2 }, 'warn'],
    [{ brightness: 250, sharpness: 2 }, 'warn'],
    [{ brightness: 120, sharpness: 0.1 }, 'warn'],
  ] as const)
    test(`of ${JSON.stringify(evidence)}: ${result}`, () => {
      assert.equal(check('photo_quality', evidence)?.result, result)
    })

  test('has no note that reveals where the worker was', () => {
    const evidence = { ...GOOD, ...NORTH(5000), taken_at: '2026-11-02T11:00:00Z' }

    const checks = checkPhoto(evidence, {
      dhash: undefined,
      lookalikes: [],
      accepted_at,
      now,
      place: PARIS,
      device: NORTH(70),
    })

    assert.doesNotMatch(JSON.stringify(checks), /48\.|2\.29/)
  })
})

test('distances are accurate to a thousandth, also across the date line', () => {
  const far = distanceM({ lat: 51.5074, lng: -0.1278 }, { lat: 48.8566, lng: 2.3522 })

  assert.ok(Math.abs(far - 343_556) < 350, String(far))
  assert.ok(distanceM({ lat: 0, lng: 179.999 }, { lat: 0, lng: -179.999 }) < 250)
})
