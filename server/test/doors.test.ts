/** docs/security.md lists every endpoint that an anonymous caller can use, and what bounds its cost. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { endpoints } from '../src/endpoints.ts'
import { DOORS, doorRows } from './doors.ts'

const ROOT = path.join(import.meta.dirname, '../..')

const open = endpoints.filter(({ auth }) => auth !== 'agent' && auth !== 'worker')

test('every endpoint without a key has a row in the table of doors, and no other has', () => {
  assert.deepEqual(DOORS.toSorted(), open.map(({ method, path: to }) => `${method} ${to}`).sort())
})

test('every door names its limits, or the global one', () => {
  for (const { method, path: to, limits = ['global'] } of open) {
    const [, , bound] = doorRows.find(([door]) => door === `\`${method} ${to}\``)!
    for (const limit of limits) assert(bound!.includes(`\`${limit}\``), `${method} ${to}: ${limit}`)
  }
})

test('every door names files that exist', () => {
  for (const [door, , , where] of doorRows)
    for (const [, file] of where!.matchAll(/`([^`]+)`/g))
      assert(existsSync(path.join(ROOT, file!)), `${door}: ${file}`)
})
