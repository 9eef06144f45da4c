/** Checks the reference configuration of backups; server/test/restore uses it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'

const FOLDER = path.join(import.meta.dirname, 'pgbackrest')
const read = (file: string) => readFileSync(path.join(FOLDER, file), 'utf8')
const WEEK_DAYS = 7
/** The longest time that the privacy statement promises. */
const KEPT_DAYS_MAX = 35

const setting = (file: string, name: string) =>
  new RegExp(`^${name} ?= ?(.*)$`, 'm').exec(read(file))?.[1]

describe('backups', () => {
  test('lose at most a minute', () => {
    assert.equal(setting('postgresql.conf', 'archive_mode'), 'on')
    assert.equal(setting('postgresql.conf', 'archive_timeout'), '60s')
  })

  test('are encrypted, and the password is not in the file', () => {
    assert.equal(setting('pgbackrest.conf', 'repo1-cipher-type'), 'aes-256-cbc')
    assert.equal(setting('pgbackrest.conf', 'repo1-cipher-pass'), undefined)
  })

  test('reach back a week at least, and are gone after 35 days', () => {
    const days = Number(setting('pgbackrest.conf', 'repo1-retention-full'))

    assert.equal(setting('pgbackrest.conf', 'repo1-retention-full-type'), 'time')
    assert.equal(setting('legwork-backup-full.timer', 'OnCalendar'), 'Sun 02:00 UTC')
    assert(days >= WEEK_DAYS)
    // A full backup is removed by the first run after the next one is that old.
    assert(days + WEEK_DAYS + 1 <= KEPT_DAYS_MAX)
  })

  test('have units that systemd accepts', {
    skip:
      spawnSync('systemd-analyze', ['--version']).error === undefined
        ? false
        : 'systemd-analyze is not installed: nothing was verified',
  }, () => {
    const units = readdirSync(FOLDER).filter((name) => /\.(?:service|timer)$/.test(name))
    const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-units-'))
    try {
      for (const name of units)
        writeFileSync(
          path.join(folder, name),
          // It checks that programs exist, and these are installed only on the database's machine.
          read(name).replace(/(?<=ExecStart=)\S+/, process.execPath),
        )
      const { status, stderr } = spawnSync(
        'systemd-analyze',
        ['verify', '--man=no', ...units.map((name) => path.join(folder, name))],
        { encoding: 'utf8' },
      )
      const ours = stderr.split('\n').filter((line) => line.includes('legwork'))
      assert.deepEqual(ours, [])
      assert.equal(status, 0, stderr)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
