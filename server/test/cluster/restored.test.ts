/** One of two databases was restored from a backup. No process may act on it before an operator has declared that. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { startPostgres } from '../../../scripts/postgres.ts'
import { migrateAll, startOn } from '../harness.ts'

const MAIN = path.join(import.meta.dirname, '../../src/main.ts')
const RESTORED_TO = '2026-01-31 12:00:00.123456+00'

const run = promisify(execFile)
const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-restored-'))
const start = async (name: string, settings: Record<string, string> = {}) => {
  const server = await startPostgres({
    dataDir: path.join(folder, name),
    settings: { fsync: 'off', shared_buffers: '64MB', ...settings },
    temporary: true,
  })
  after(() => server.stop())
  return server.url
}
const main = await start('main')
const second = await start('second', { recovery_target_time: RESTORED_TO })
// The servers have stopped, and removed what was in it.
after(() => rm(folder, { recursive: true, force: true }))
await migrateAll(main, 2, [{ name: 'b', url: second }])
const DATABASES = `b=${second}`

test('a process does not start until the restore of the second database is declared', async () => {
  const serve = () => startOn(main, { roles: ['api'], clock: 'real', settings: { DATABASES } })
  await assert.rejects(serve, /was restored to 2026-01-31T12:00:00\.123Z/)

  const { stdout } = await run(process.execPath, [MAIN, 'ops', 'restore', 'declare'], {
    env: { ...process.env, DATABASE_URL: main, DATABASES, OPERATOR: 'ada' },
  })
  assert.match(stdout, /2026-01-31/)

  const server = await serve()
  await server.stop()
})
