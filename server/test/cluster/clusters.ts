/** A market whose sixteen shards are in two PostgreSQL clusters, for tests that stop one of them. */
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Postgres, startPostgres } from '../../../scripts/postgres.ts'
import { Marketplace, migrateAll, startOn, type TestWorker } from '../harness.ts'
import { atEnd } from '../hooks.ts'
import { steppedClock } from '../stepped-clock.ts'

const SHARDS = 16
const SETTINGS = {
  fsync: 'off',
  shared_buffers: '64MB',
  max_connections: 400,
  wal_level: 'logical',
}

export type Agent = Awaited<ReturnType<Marketplace['agent']>>

/** The database that is killed can be started again, so its folder is removed only at the end. */
export async function openClusters(settings: Record<string, string | number> = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-clusters-'))
  const start = (name: string, port?: number) =>
    startPostgres({
      dataDir: path.join(folder, name),
      settings: SETTINGS,
      ...(port !== undefined && { port }),
    })
  const main = await start('main')
  let second = await start('b')
  await migrateAll(main.url, SHARDS, [{ name: 'b', url: second.url }])
  const all = { DATABASES: `b=${second.url}`, RELAY_INTERVAL_MS: 50, ...settings }
  const options = {
    roles: ['api' as const, 'jobs' as const],
    clock: 'real' as const,
    settings: all,
  }
  const server = await startOn(main.url, options)
  const market = new Marketplace(main.url, server, steppedClock(), options)
  atEnd(async () => {
    await market.stop()
    await server.stop()
    await main.stop()
    await second.stop()
    await rm(folder, { recursive: true, force: true })
  })

  async function inDatabase<T extends { id: string }>(
    database: string,
    make: () => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const made = await make()
      if (market.at(made.id).schema.database === database) return made
    }
  }

  return {
    market,
    main,
    settings: { DATABASE_URL: main.url, DATABASES: all.DATABASES },
    agentIn: (database: string): Promise<Agent> =>
      inDatabase(database, () => market.agent({ balanceCents: 10_000_000, freeTasks: false })),
    workerIn: (database: string): Promise<TestWorker> =>
      inDatabase(database, () => market.worker()),
    get second(): Postgres {
      return second
    },
    /** Kills the second cluster; its backends end with it. */
    killSecond: () => process.kill(second.pid, 'SIGKILL'),
    async startSecond(): Promise<void> {
      second = await start('b', second.port)
    },
  }
}
