/** A PostgreSQL server of its own that really writes to disk, and can be killed and started again. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '../../../scripts/postgres.ts'
import { migrate } from '../../src/migrate.ts'

type Settings = Record<string, string | number>

const SETTINGS: Settings = { shared_buffers: '64MB', max_connections: 100 }

export type Database = Awaited<ReturnType<typeof openDatabase>>

export interface DatabaseOptions {
  /** By default a folder of its own, which is removed at the end. */
  dataDir?: string
  settings?: Settings
}

/** With every table. */
export async function openDatabase({ dataDir, settings = {} }: DatabaseOptions = {}) {
  const folder =
    dataDir ?? path.join(os.tmpdir(), `legwork-durable-${randomBytes(6).toString('hex')}`)
  const isOwn = dataDir === undefined
  const start = (port: number, extra: Settings) =>
    startPostgres({
      dataDir: folder,
      port,
      settings: { ...SETTINGS, ...settings, ...extra },
      temporary: isOwn,
    })
  let server = await start(0, {})
  await migrate(server.url, { log: { info() {} } })

  return {
    url: server.url,
    dataDir: server.dataDir,

    /** Kill -9 of the postmaster and all its processes at once, so that nobody writes anything more. */
    kill(): void {
      for (const pid of [server.pid, ...childrenOf(server.pid)])
        try {
          process.kill(pid, 'SIGKILL')
        } catch (error) {
          // A process that belonged to a connection may have ended by itself.
          if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
        }
    },

    /** Whether its postmaster is still there; it gives up if it can't recover. */
    isRunning(): boolean {
      try {
        return process.kill(server.pid, 0)
      } catch {
        return false
      }
    },

    /** Starts it again on the same port and data; returns when recovery is done. */
    async start(extra: Settings = {}): Promise<void> {
      server = await start(server.port, extra)
    },

    stop: () => server.stop(),
  }
}

/** A process of PostgreSQL leaves the postmaster's process group, so a signal to the group would miss it. */
function childrenOf(pid: number): number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return list.split(' ').map(Number).filter(Boolean)
  } catch {
    // The postmaster has given up by itself; its children end with it.
    return []
  }
}
