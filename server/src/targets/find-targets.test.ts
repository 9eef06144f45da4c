import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findTargets, type TargetedTask } from './find-targets.ts'

const task = (fields: Partial<TargetedTask>): TargetedTask => ({
  type: 'custom',
  description: 'Do it',
  location: null,
  context: {},
  ...fields,
})
const call = (number: unknown, fields: Partial<TargetedTask> = {}) =>
  findTargets(task({ type: 'voice_proxy', context: { number }, ...fields }))
const at = (location: TargetedTask['location']) => findTargets(task({ location }))
const meet = (person: unknown, location: TargetedTask['location'] = null) =>
  findTargets(task({ context: { person }, location })).filter(({ kind }) => kind === 'person')

describe('phone numbers', () => {
  test('every spelling of a number is one target', () => {
    const [target] = call('+493012345678')

    assert.deepEqual(target, { kind: 'phone', value: '+493012345678' })
    for (const same of ['+49 30 12345678', '+493012345678 x12', '0049 (30) 1234-5678'])
      assert.deepEqual(call(same), [target])
    assert.deepEqual(call('030 12345678', { location: 'Berlin, Germany' }), [target])
    assert.deepEqual(
      findTargets(task({ type: 'voice_proxy', description: 'Call +49 30 12345678 and ask' })),
      [target],
    )
  })

  test('a number that can not be converted counts by its digits', () => {
    assert.deepEqual(call('99 99 99 99 99 99'), [{ kind: 'phone', value: '999999999999' }])
  })

  test('numbers that nobody has, short codes and tasks without a call have none', () => {
    for (const number of [
      '+1-555-0123',
      '+14155552671',
      '+1 800 555 0199',
      '+447700900123',
      '+49 40 66969 142',
      '12345',
    ])
      assert.deepEqual(call(number), [], number)
    assert.deepEqual(call(undefined), [])
    assert.deepEqual(findTargets(task({ context: { number: '+493012345678' } })), [])
    assert.equal(call('+1 800 555 2671').length, 1)
    assert.equal(call('+1 415 555 1212').length, 1)
  })
})

describe('places', () => {
  test('every spelling of an address is one target', () => {
    const [target] = at('123 Main Street, Springfield')

    for (const same of ['123 main st. springfield', ' 123  MAIN STREET,\nSpringfield'])
      assert.deepEqual(at(same), [target])
    assert.deepEqual(at('Hauptstraße 5, 10115 Berlin'), at('Hauptstr. 5, 10115 Berlin'))
    assert.notDeepEqual(at('125 Main Street, Springfield'), [target])
  })

  test('a city, a postal code and a large circle are no place', () => {
    for (const area of ['Berlin, Germany', '10115 Berlin', 'Central Park', 'Main Street'])
      assert.deepEqual(at(area), [], area)
    assert.deepEqual(at({ lat: 52.52, lng: 13.405, radius_m: 500 }), [])
  })

  test('points within a few meters are one place, points 100 m apart are two', () => {
    const center = { lat: (30 * 194_000) / 111_320, lng: 0 }
    const near = { lat: center.lat + 0.00005, lng: 0.00005, radius_m: 50, address: 'x' }

    assert.equal(at(center).length, 1)
    assert.deepEqual(at(near), at(center))
    assert.notDeepEqual(at({ ...center, lat: center.lat + 0.001 }), at(center))
    assert.notDeepEqual(at({ ...center, lng: 0.002 }), at(center))
  })
})

describe('persons', () => {
  test('a contact names one person, whatever the name', () => {
    const [target] = meet({ name: 'Kim', contact: 'kim@corner-shop.com' })

    assert.equal(target!.kind, 'person')
    assert.deepEqual(meet({ name: 'Ms. K', contact: ' Kim@Corner-Shop.com ' }), [target])
    assert.deepEqual(
      meet({ contact: '030 12345678' }, 'Berlin'),
      meet({ contact: '+493012345678' }),
    )
  })

  test('a name counts with a place, and alone not at all', () => {
    const [target] = meet({ name: 'José García' }, '5 Side Road, Springfield')

    assert.deepEqual(meet({ name: 'jose  garcia' }, '5 side rd, springfield'), [target])
    assert.deepEqual(meet({ name: 'José García' }), [])
    assert.deepEqual(meet({ name: 'Kim', contact: 'kim@example.com' }), [])
    assert.deepEqual(meet('Kim'), [])
  })
})
