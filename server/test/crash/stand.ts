/** Everything that a fault test needs: a durable database, server processes on it, agents with money and workers. */
import { randomBytes } from 'node:crypto'
import { recruit } from '../lives/cast.ts'
import { type FleetOptions, startFleet } from '../lives/fleet.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'

export type Stand = Awaited<ReturnType<typeof openStand>>

export async function openStand(
  options: DatabaseOptions & Pick<FleetOptions, 'apis' | 'jobs'> = {},
) {
  const { apis = 2, jobs = 1, ...ofDatabase } = options
  const database: Database = await openDatabase(ofDatabase)
  const workerTokenKeys = randomBytes(32).toString('base64')
  const begun = performance.now()
  const fleet = await startFleet({ databaseUrl: database.url, workerTokenKeys, apis, jobs })
  const startMs = performance.now() - begun
  const base = fleet.bases[0]!
  const cast = await recruit({ databaseUrl: database.url, base, workerTokenKeys })
  return {
    database,
    fleet,
    cast,
    /** How long an undisturbed start of all processes takes here: on a busy machine much longer than promised. */
    startMs,
    async stop(): Promise<void> {
      await fleet.stop()
      await database.stop()
    },
  }
}
