/**
 * Starts a private Ceph object store for tests: a monitor, an in-memory disk and the S3 gateway, all on loopback, from
 * Debian's packages. S3 mocks from npm accept any signature; Ceph is what people run in production.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort, stopChild, stopWithParent } from './postgres.ts'

export interface Ceph {
  endpoint: string
  accessKeyId: string
  secretAccessKey: string
  stop(): Promise<void>
}

const START_TIMEOUT_MS = 120_000
const COMMAND_TIMEOUT_MS = 60_000
const PACKAGES = 'ceph-mon ceph-osd radosgw ceph-common'

export async function startCeph(): Promise<Ceph> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-ceph-'))
  const children: ChildProcess[] = []
  const stop = async () => {
    for (const child of children.toReversed()) await stopChild(child, 'SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    return { ...(await start(folder, children)), stop }
  } catch (error) {
    const log = logsIn(folder)
    await stop()
    throw new Error(`Ceph did not start: ${error instanceof Error ? error.message : ''}\n${log}`, {
      cause: error,
    })
  }
}

async function start(folder: string, children: ChildProcess[]): Promise<Omit<Ceph, 'stop'>> {
  const [v2, v1, port] = [await freePort(), await freePort(), await freePort()]
  const monitor = `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`
  const fsid = randomUUID()
  const file = (name: string) => path.join(folder, name)
  for (const name of ['mon', 'osd', 'rgw']) mkdirSync(file(name))
  writeFileSync(file('ceph.conf'), settings(folder, { fsid, monitor }))
  const conf = ['-c', file('ceph.conf')]

  const { stdout: key } = await run('ceph-authtool', ['--gen-print-key'])
  writeFileSync(file('keyring'), keyring(key.trim()), { mode: 0o600 })
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', monitor, file('monmap')])

  const monitorOf = [...conf, '-i', 'a']
  const keys = ['--keyring', file('keyring')]
  await run('ceph-mon', [...monitorOf, '--mkfs', '--monmap', file('monmap'), ...keys])
  children.push(await daemon(folder, 'ceph-mon', [...monitorOf, '-f']))

  const disk = randomUUID()
  await run('ceph', [...conf, '--connect-timeout', '30', 'osd', 'new', disk])
  await run('ceph-osd', [...conf, '-i', '0', '--mkfs', '--osd-uuid', disk])
  children.push(await daemon(folder, 'ceph-osd', [...conf, '-i', '0', '-f']))

  const frontend = ['--rgw-frontends', `beast endpoint=127.0.0.1:${port}`]
  const gateway = await daemon(folder, 'radosgw', [
    ...conf,
    '-n',
    'client.admin',
    '-f',
    ...frontend,
  ])
  children.push(gateway)
  const endpoint = `http://127.0.0.1:${port}`
  await answers(endpoint, gateway)

  const accessKeyId = randomBytes(10).toString('hex').toUpperCase()
  const secretAccessKey = randomBytes(20).toString('hex')
  const user = ['--uid=legwork', '--display-name=Legwork']
  const secrets = [`--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`]
  await run('radosgw-admin', [...conf, 'user', 'create', ...user, ...secrets])
  return { endpoint, accessKeyId, secretAccessKey }
}

/** One replica, in memory: its data is gone when it stops. */
const settings = (folder: string, { fsid, monitor }: { fsid: string; monitor: string }) => `[global]
fsid = ${fsid}
mon_host = ${monitor}
public_network = 127.0.0.0/8
cluster_network = 127.0.0.0/8
keyring = ${folder}/keyring
mon_data = ${folder}/mon
osd_data = ${folder}/osd
rgw_data = ${folder}/rgw
run_dir = ${folder}
crash_dir = ${folder}
log_file = ${folder}/$name.$pid.log
admin_socket = ${folder}/$name.$pid.asok
pid_file =
osd_objectstore = memstore
memstore_device_bytes = 1073741824
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_data_avail_crit = 1
mon_data_avail_warn = 1
`

const keyring = (key: string) => `[mon.]
key = ${key}
caps mon = "allow *"
[client.admin]
key = ${key}
caps mon = "allow *"
caps osd = "allow *"
[osd.0]
key = ${key}
caps mon = "allow profile osd"
caps osd = "allow *"
`

async function run(command: string, args: string[]): Promise<{ stdout: string }> {
  return promisify(execFile)(command, args, { timeout: COMMAND_TIMEOUT_MS }).catch(missing(command))
}

/** Runs in the foreground and is stopped by its own pid, so that no other daemon is affected. */
async function daemon(folder: string, command: string, args: string[]): Promise<ChildProcess> {
  const child = spawn(command, args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await once(child, 'spawn').catch(missing(command))
  stopWithParent(child)
  const output = createWriteStream(path.join(folder, `${command}.out`))
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  return child
}

function missing(command: string) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(`${command} is not installed: apt-get install ${PACKAGES}`)
  }
}

async function answers(endpoint: string, gateway: ChildProcess): Promise<void> {
  for (const until = Date.now() + START_TIMEOUT_MS; Date.now() < until; ) {
    if (gateway.exitCode !== null) throw new Error('the gateway has exited')
    const isUp = await fetch(endpoint).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await sleep(250)
  }
  throw new Error('the gateway does not respond')
}

function logsIn(folder: string): string {
  return ['ceph-mon', 'ceph-osd', 'radosgw']
    .map((name) => {
      try {
        return readFileSync(path.join(folder, `${name}.out`), 'utf8')
          .trim()
          .split('\n')
          .slice(-5)
      } catch {
        return []
      }
    })
    .flat()
    .join('\n')
}
