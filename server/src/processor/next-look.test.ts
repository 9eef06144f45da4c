import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextLook } from './next-look.ts'

const begun = new Date('2026-01-01T00:00:00Z')
const after = (seconds: number) => new Date(begun.getTime() + seconds * 1000)

test('a new item is checked within half a minute, an old one every hour', () => {
  const pauses = [0, 59, 60, 180, 600, 1800, 10_800, 1_000_000].map((age) => {
    const now = after(age)
    return (nextLook(begun, now).getTime() - now.getTime()) / 1000
  })

  assert.deepEqual(pauses, [30, 30, 60, 120, 300, 900, 3600, 3600])
})

test('an item is checked less than 50 times on its first day', () => {
  let looks = 0
  for (let now = begun; now < after(86_400); now = nextLook(begun, now)) looks += 1

  assert(looks < 50, `${looks} looks`)
})
