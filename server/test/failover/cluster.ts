/**
 * A PostgreSQL cluster as in production, made from the files in deploy/patroni: three machines with PostgreSQL,
 * Patroni and a member of etcd each, and HAProxy on this one.
 */
import assert from 'node:assert/strict'
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openTree, type Tree, userInTree } from '../../../scripts/debian-tree.ts'
import { freePort } from '../../../scripts/postgres.ts'
import { openLog } from '../../src/kit/log.ts'
import { migrate } from '../../src/migrate.ts'
import { eventually } from '../jobs-child.ts'
import { type Machine, type Network, openNetwork, signal } from './network.ts'

const DEPLOY = path.join(import.meta.dirname, '../../../deploy')
const PASSWORD = 'password-of-a-test'
const WAIT_MAX_MS = 120_000
const LOOK_EVERY_MS = 100
const ASK_TIMEOUT_MS = 1000

/** A member as Patroni describes it. */
interface Member {
  name: string
  role: 'leader' | 'replica' | 'sync_standby' | 'quorum_standby'
  state: string
  timeline?: number
  /** Bytes behind the leader. */
  lag?: number | string
}

export interface Node extends Machine {
  /** Starts etcd and Patroni, which starts PostgreSQL. */
  start(): Promise<void>
  startEtcd(): Promise<void>
  /** As if its power was cut: nobody is told that connections are gone. */
  die(): Promise<void>
  freeze(): void
  thaw(): void
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

export async function startCluster() {
  const tree = await openTree('failover')
  let network: Network | undefined
  const stop = async () => {
    await network?.close()
    await tree.stop()
  }
  try {
    network = await openNetwork()
    return { ...(await start(tree, network)), stop }
  } catch (error) {
    const logs = await logsOf(tree)
    await stop()
    throw new Error(`the cluster did not start:\n${logs}`, { cause: error })
  }
}

async function start(tree: Tree, network: Network) {
  const nodes = await Promise.all(network.machines.map((one) => makeNode(tree, network, one)))
  await Promise.all(nodes.map((node) => node.start()))
  const ports = { write: await freePort(), read: await freePort() }
  await startBalancer(tree, network, ports)
  const view = viewOf(nodes)

  const first = await view.untilWhole()
  const roles = await readFile(path.join(DEPLOY, 'roles.sql'))
  await writeFile(path.join(tree.folder, 'roles.sql'), roles)
  await tree.run('psql', ['-v', 'ON_ERROR_STOP=1', '-f', `${tree.inside}/roles.sql`, 'postgres'], {
    env: {
      PGHOST: `${tree.inside}/${first.name}`,
      LEGWORK_OWNER_PASSWORD: PASSWORD,
      LEGWORK_APP_PASSWORD: PASSWORD,
    },
  })
  const url = (login: string, port: number) =>
    `postgresql://${login}:${PASSWORD}@127.0.0.1:${port}/legwork`
  await migrate(url('legwork_owner', ports.write), { log: openLog('silent') })

  return {
    nodes,
    /** For the server, and for the login that owns the tables. Both reach the leader. */
    url: url('legwork', ports.write),
    ownerUrl: url('legwork_owner', ports.write),
    /** Reaches a standby. */
    readUrl: url('legwork', ports.read),
    ...view,

    /** Changes Patroni's settings for the whole cluster. */
    async configure(settings: Record<string, unknown>): Promise<void> {
      const { address } = (await view.leader())!
      const response = await fetch(`http://${address}:8008/config`, {
        method: 'PATCH',
        headers: { authorization: `Basic ${btoa(`patroni:${PASSWORD}`)}` },
        body: JSON.stringify(settings),
      })
      assert.equal(response.status, 200, await response.text())
    },

    /** With the command of docs/postgres.md. */
    async switchover(from: Node): Promise<void> {
      const candidate = (await view.members(from)).find(isStandby)!.name
      const config = ['-c', `${tree.inside}/${from.name}/patroni.yaml`]
      const names = ['legwork', '--leader', from.name, '--candidate', candidate, '--force']
      await tree.run('patronictl', [...config, 'switchover', ...names], {
        env: await environmentOf(from, network),
        network: from.namespace,
      })
    },
  }
}

/** A commit may wait for it. */
const isStandby = ({ role, state }: Member) => role.endsWith('standby') && state === 'streaming'

/** What Patroni says about its cluster, and how long it takes to say so. */
function viewOf(nodes: readonly Node[]) {
  async function members({ address }: Node): Promise<Member[]> {
    const body = await ask(address, '/cluster')
    return body === undefined ? [] : (JSON.parse(body) as { members: Member[] }).members
  }

  /** Asks each node itself, because the others may not have noticed yet. */
  async function leader(): Promise<Node | undefined> {
    const leads = await Promise.all(nodes.map(({ address }) => ask(address, '/primary')))
    return nodes.find((_, i) => leads[i] !== undefined)
  }

  function until<T>(what: string, look: (found: Node) => Promise<T | undefined>): Promise<T> {
    return eventually(what, WAIT_MAX_MS, async () => {
      const found = await leader()
      const result = found && (await look(found))
      if (result === undefined) await sleep(LOOK_EVERY_MS)
      return result
    })
  }

  return {
    members,
    leader,

    /** Resolves when there is a leader and both others are standbys that have everything. */
    untilWhole: () =>
      until('the cluster has a leader and two standbys', async (found) => {
        const standbys = (await members(found)).filter(isStandby)
        return standbys.length === 2 && standbys.every(({ lag }) => lag === 0) ? found : undefined
      }),

    untilAnotherLeads: (than: Node) =>
      until('the cluster has another leader', async (found) =>
        found === than ? undefined : found,
      ),

    /** Resolves with the milliseconds until a node replicates from the leader, on the leader's timeline. */
    async untilRejoined(node: Node): Promise<number> {
      const begun = performance.now()
      await until(`${node.name} replicates again`, async (found) => {
        const all = found === node ? [] : await members(found)
        const leading = all.find(({ role }) => role === 'leader')
        // Asked itself, because the cluster remembers for a while what a lost member said last.
        const body = await ask(node.address, '/patroni')
        const own = JSON.parse(body ?? '{}') as { replication_state?: string; timeline?: number }
        const isStreaming = own.replication_state === 'streaming'
        return isStreaming && own.timeline === leading?.timeline ? true : undefined
      })
      return performance.now() - begun
    },
  }
}

async function makeNode(tree: Tree, network: Network, machine: Machine): Promise<Node> {
  const { name, namespace } = machine
  const folder = path.join(tree.folder, name)
  const inTree = `${tree.inside}/${name}`
  const { uid, gid } = userInTree('postgres')
  await mkdir(folder, { mode: 0o700 })
  await chown(folder, uid, gid)
  const config = await readFile(path.join(DEPLOY, 'patroni/patroni.yaml'), 'utf8')
  // Three machines share one file system here.
  const own = config
    .replace('/var/lib/postgresql/18/legwork', `${inTree}/data`)
    .replace('/var/lib/postgresql/patroni.pgpass', `${inTree}/pgpass`)
    .replace('/var/run/postgresql', inTree)
  await writeFile(path.join(folder, 'patroni.yaml'), own)
  const env = await environmentOf(machine, network)
  const etcd = { ...env, ETCD_DATA_DIR: `${inTree}/etcd`, ETCD_LOG_LEVEL: 'warn' }
  const log = (program: string) => path.join(tree.folder, `${name}-${program}.log`)

  const startEtcd = async () =>
    void (await tree.start('etcd', [], { network: namespace, env: etcd, log: log('etcd') }))
  return {
    ...machine,
    startEtcd,
    async start() {
      await startEtcd()
      const args = [`${inTree}/patroni.yaml`]
      await tree.start('patroni', args, { network: namespace, env, log: log('patroni') })
    },
    async die() {
      machine.cut()
      await machine.killAll()
    },
    freeze: () => signal(machine.processes(), 'SIGSTOP'),
    thaw: () => signal(machine.processes(), 'SIGCONT'),
  }
}

/** The variables of patroni.env and etcd.env, filled in as envsubst does it. */
async function environmentOf(
  { name, address }: Machine,
  { machines }: Network,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {
    NODE: name,
    ADDRESS: address,
    ...Object.fromEntries(machines.map((one) => [one.name.toUpperCase(), one.address])),
    ...Object.fromEntries(
      ['POSTGRES', 'REPLICATION', 'REWIND', 'PATRONI'].map((who) => [`${who}_PASSWORD`, PASSWORD]),
    ),
  }
  const texts = await Promise.all(
    ['patroni.env', 'etcd.env'].map((file) => readFile(path.join(DEPLOY, 'patroni', file), 'utf8')),
  )
  return Object.fromEntries(
    texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => /^\w+=/.test(line))
      .map((line) => {
        const filled = line.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => {
          assert(values[variable] !== undefined, `no value for ${variable}`)
          return values[variable]
        })
        const at = filled.indexOf('=')
        return [filled.slice(0, at), filled.slice(at + 1)]
      }),
  )
}

async function startBalancer(
  tree: Tree,
  { machines }: Network,
  { write, read }: { write: number; read: number },
): Promise<void> {
  const config = await readFile(path.join(DEPLOY, 'patroni/haproxy.cfg'))
  await writeFile(path.join(tree.folder, 'haproxy.cfg'), config)
  const addresses = machines.map(({ address }, i) => [`LEGWORK_DB_${i + 1}`, address])
  await tree.start('haproxy', ['-f', `${tree.inside}/haproxy.cfg`], {
    env: {
      LEGWORK_DB_WRITE: `127.0.0.1:${write}`,
      LEGWORK_DB_READ: `127.0.0.1:${read}`,
      ...(Object.fromEntries(addresses) as Record<string, string>),
    },
    log: path.join(tree.folder, 'haproxy.log'),
  })
}

/** The body of Patroni's response, or undefined unless it is 200. */
async function ask(address: string, about: string): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(ASK_TIMEOUT_MS)
    const response = await fetch(`http://${address}:8008${about}`, { signal })
    const body = await response.text()
    return response.ok ? body : undefined
  } catch {
    return undefined
  }
}

async function logsOf(tree: Tree): Promise<string> {
  const names = [
    'haproxy',
    ...['db1', 'db2', 'db3'].flatMap((db) => [`${db}-etcd`, `${db}-patroni`]),
  ]
  const texts = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(tree.folder, `${name}.log`), 'utf8').catch(() => '')
      return `${name}:\n${text.trimEnd().split('\n').slice(-15).join('\n')}`
    }),
  )
  return texts.join('\n')
}
