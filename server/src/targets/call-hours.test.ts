import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Warning } from '../kit/endpoint.ts'
import { callHoursOf, minutesToCallHours, warnOfCallHours } from './call-hours.ts'

const HOUR = 3_600_000
const at = (time: string) => new Date(`2026-01-15T${time}:00Z`)

function warningsOf(number: string, now: Date, hours: number, scheduled_at: Date | null = null) {
  const warnings: Warning[] = []
  const deadline = new Date((scheduled_at ?? now).getTime() + hours * HOUR)
  warnOfCallHours(number, {
    task: { scheduled_at, deadline },
    now,
    warn: (one) => warnings.push(one),
  })
  return warnings.map(({ code }) => code)
}

test('calls are made from 8:00 to 21:00', () => {
  assert.equal(minutesToCallHours(at('07:00'), 'Europe/Berlin'), 0)
  assert.equal(minutesToCallHours(at('19:59'), 'Europe/Berlin'), 0)
  assert.equal(minutesToCallHours(at('20:00'), 'Europe/Berlin'), 11 * 60)
  assert.equal(minutesToCallHours(at('23:30'), 'Europe/Berlin'), 7 * 60 + 30)
})

test('an agent is warned if the task ends before the morning', () => {
  assert.deepEqual(warningsOf('+493012345678', at('22:00'), 2), ['call_hours'])
  assert.deepEqual(warningsOf('+493012345678', at('22:00'), 24), [])
  assert.deepEqual(warningsOf('+493012345678', at('12:00'), 2), [])
  assert.deepEqual(warningsOf('+493012345678', at('12:00'), 1, at('23:00')), ['call_hours'])
})

test('a country with several time zones, and an unknown one, give no warning', () => {
  assert.deepEqual(warningsOf('+12025550123', at('08:00'), 1), [])
  assert.deepEqual(warningsOf('999999999999', at('02:00'), 1), [])
})

test('a worker sees the hours of a number with one time zone', () => {
  const hoursOf = (number: string, type = 'voice_proxy') =>
    callHoursOf({ type, description: 'Call', location: null, context: { number } })

  assert.deepEqual(hoursOf('+81 3 5253 1111'), { time_zone: 'Asia/Tokyo', from: 8, until: 21 })
  assert.equal(hoursOf('+12128675309'), null)
  assert.equal(hoursOf('+81 3 5253 1111', 'custom'), null)
})
