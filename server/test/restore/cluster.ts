/** PostgreSQL with backups by pgBackRest, from the Debian tree, set up as in deploy/pgbackrest. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile } from 'node:child_process'
import { readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { killGroup, openTree, REMOVAL, type Tree } from '../../../scripts/debian-tree.ts'
import { freePort } from '../../../scripts/postgres.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const REFERENCE = path.join(ROOT, 'deploy/pgbackrest')
const STARTS_WITHIN_MS = 60_000
/** Shorter than the reference's minute, so that the test need not wait for one. */
export const ARCHIVE_TIMEOUT_SECONDS = 2

export type Cluster = Awaited<ReturnType<typeof openCluster>>

export async function openCluster() {
  const tree = await openTree('restore')
  // The same path inside and outside of the tree: the drill runs outside, its programs inside.
  const { inside } = tree
  await symlink(tree.folder, inside)
  const data = `${inside}/data`
  const port = await freePort()
  const env = backupSettings({ inside, data, port })
  const run = (program: string, args: string[]) => tree.run(program, args, { env })
  let server: ChildProcess | undefined

  await writeFile(
    path.join(tree.folder, 'pgbackrest.conf'),
    await readFile(path.join(REFERENCE, 'pgbackrest.conf')),
  )
  await run('initdb', ['-D', data, '-U', 'postgres', '--auth=trust'])
  const settings = path.join(tree.folder, 'data/postgresql.conf')
  await writeFile(settings, await readFile(path.join(REFERENCE, 'postgresql.conf')), { flag: 'a' })

  async function start(): Promise<void> {
    const settings = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${inside}`,
      `archive_timeout=${ARCHIVE_TIMEOUT_SECONDS}s`,
      'max_connections=200',
      'shared_buffers=64MB',
    ]
    const args = ['-D', data, ...settings.flatMap((one) => ['-c', one])]
    server = await tree.start('postgres', args, { env, log: path.join(tree.folder, 'server.log') })
    const deadline = performance.now() + STARTS_WITHIN_MS
    for (;;) {
      const rows = await query('select pg_is_in_recovery() as is_recovering', 'postgres').catch(
        () => [],
      )
      if (rows[0]?.is_recovering === false) return
      assert(performance.now() < deadline, 'the server has started and ended its recovery')
      assert.equal(
        server.exitCode,
        null,
        await readFile(path.join(tree.folder, 'server.log'), 'utf8'),
      )
      await sleep(50)
    }
  }

  const urlOf = (database: string) => `postgresql://postgres@127.0.0.1:${port}/${database}`
  const query = (text: string, database = 'legwork', values: unknown[] = []) =>
    queryAt(urlOf(database), text, values)

  await start()
  const backrest = (...args: string[]) =>
    run('pgbackrest', ['--stanza=legwork', '--log-level-console=warn', ...args])
  await backrest('stanza-create')
  await backrest('check')

  return {
    urlOf,
    query,
    backrest,
    start,
    repository: path.join(tree.folder, 'repository'),

    /** Ends without writing anything, and loses its disk. */
    async destroy(): Promise<void> {
      await killGroup(server!)
      await rm(path.join(tree.folder, 'data'), REMOVAL)
    },

    /** Restores to a time, or to the end of the archive. */
    async restore(to: Date): Promise<void> {
      await run('mkdir', ['-m', '0700', '-p', data])
      const target = to.toISOString().replace('T', ' ').replace('Z', '+00')
      await backrest('--type=time', `--target=${target}`, '--target-action=promote', 'restore')
      await start()
    },

    /** Waits until every commit so far is in the repository. */
    async archived(): Promise<void> {
      const [row] = await query('select pg_walfile_name(pg_switch_wal()) as name')
      const deadline = performance.now() + STARTS_WITHIN_MS
      for (;;) {
        const [state] = await query('select last_archived_wal as name from pg_stat_archiver')
        if (String(state!.name) >= String(row!.name)) return
        assert(performance.now() < deadline, `${String(row!.name)} is archived`)
        await sleep(50)
      }
    },

    /** Runs deploy/pgbackrest/drill.ts in a process of its own, as the timer does. */
    drill: () => drill(tree, env),

    async stop(): Promise<void> {
      await unlink(inside)
      await tree.stop()
    },
  }
}

async function drill(
  tree: Tree,
  env: Record<string, string>,
): Promise<{ code: number; out: string; metrics: string }> {
  const enter = path.join(tree.folder, 'enter.sh')
  await writeFile(enter, enterScript(tree), { mode: 0o755 })
  const metrics = path.join(tree.folder, 'drill.prom')
  const folder = `${tree.inside}/drill`
  await tree.run('mkdir', ['-p', folder])
  const drillEnv = {
    ...process.env,
    ...env,
    DRILL_FOLDER: folder,
    DRILL_METRICS: metrics,
    DRILL_RUN: enter,
    // A damaged file stays damaged.
    PGBACKREST_JOB_RETRY: '0',
  }
  const child = promisify(execFile)(process.execPath, ['deploy/pgbackrest/drill.ts'], {
    cwd: ROOT,
    env: drillEnv,
  })
  const { code, out } = await child.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      out: error.stdout + error.stderr,
    }),
  )
  return { code, out, metrics: await readFile(metrics, 'utf8') }
}

/** Enters the tree as its user postgres, like the tests' own programs. */
function enterScript({ folder, inside }: Tree): string {
  const root = folder.slice(0, -inside.length)
  const enter = `mount -t proc proc "$1/proc" && mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm" || exit 1
    tree=$1; shift; exec chroot --userspec=postgres:postgres "$tree" "$@"`
  return `#!/bin/sh\nexec unshare --mount --propagation private /bin/sh -c '${enter}' sh '${root}' "$@"\n`
}

const backupSettings = ({
  inside,
  data,
  port,
}: {
  inside: string
  data: string
  port: number
}): Record<string, string> => ({
  PGBACKREST_CONFIG: `${inside}/pgbackrest.conf`,
  PGBACKREST_REPO1_PATH: `${inside}/repository`,
  PGBACKREST_REPO1_CIPHER_PASS: 'only for this test',
  PGBACKREST_PG1_PATH: data,
  PGBACKREST_PG1_PORT: String(port),
  PGBACKREST_PG1_SOCKET_PATH: inside,
  PGBACKREST_PG1_USER: 'postgres',
  PGBACKREST_SPOOL_PATH: `${inside}/spool`,
  PGBACKREST_LOCK_PATH: `${inside}/lock`,
  PGBACKREST_LOG_PATH: `${inside}/log`,
})

async function queryAt(url: string, text: string, values: unknown[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text, values)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}
