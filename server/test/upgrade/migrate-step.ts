import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { migrate } from '../../src/migrate.ts'
import type { Release } from './checkout.ts'

const log = { info() {} }

export const migrationsOf = ({ folder }: Release) =>
  readdirSync(path.join(folder, 'server/migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()

/**
 * Runs the migration runner on the migrations of a release up to one of them, with the functions of another release.
 * The runner commits each migration and changes the functions last, so every deployment passes through this state.
 */
export async function migrateUpTo(
  url: string,
  {
    release,
    last,
    functionsOf,
    planted,
  }: {
    release: Release
    last: string
    functionsOf: Release
    /** One more migration, after the last. */
    planted?: string
  },
): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-migrations-'))
  try {
    mkdirSync(path.join(folder, 'migrations'))
    const files = migrationsOf(release).filter((name) => name <= last)
    for (const name of files)
      cpSync(
        path.join(release.folder, 'server/migrations', name),
        path.join(folder, 'migrations', name),
      )
    if (planted !== undefined) {
      const number = String(files.length + 1).padStart(4, '0')
      writeFileSync(path.join(folder, 'migrations', `${number}_planted.sql`), planted)
    }
    const functions = path.join(functionsOf.folder, 'server/functions')
    cpSync(functions, path.join(folder, 'functions'), { recursive: true })
    await migrate(url, { log, folder })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
