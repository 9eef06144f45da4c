/** What can happen to a PostgreSQL cluster. Each fault resolves when the cluster is whole again. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Cluster, Node } from './cluster.ts'
import { signal } from './network.ts'

/** Longer than the ttl of the leader lock, so Patroni has to decide without etcd. */
const WITHOUT_ETCD_MS = 30_000
/** Longer than any timeout of a statement or of the client. */
const LAG_MS = 16_000
const HOLD_EVERY_MS = 50
const STANDBY_AWAY_MS = 15_000

/** Milliseconds from the repair until the node replicates again; undefined if no node was away. */
type Rejoined = number | undefined

export interface Fault {
  name: string
  /** Part of the short run. */
  isShort?: boolean
  /** The longest time without an acknowledgement. */
  gapMaxMs: number
  inflict(cluster: Cluster, leader: Node): Promise<Rejoined>
}

export const REJOIN_MAX_MS = 30_000

export const FAULTS: readonly Fault[] = [
  {
    name: 'leader’s machine dies',
    isShort: true,
    gapMaxMs: 30_000,
    async inflict(cluster, leader) {
      await leader.die()
      return replaced(cluster, leader, async () => {
        leader.heal()
        await leader.start()
      })
    },
  },
  {
    name: 'switchover',
    isShort: true,
    gapMaxMs: 8_000,
    async inflict(cluster, leader) {
      await cluster.switchover(leader)
      return replaced(cluster, leader)
    },
  },
  {
    name: 'PostgreSQL is killed',
    gapMaxMs: 10_000,
    async inflict(cluster, leader) {
      signal(leader.processes({ program: 'postgres' }), 'SIGKILL')
      return replaced(cluster, leader)
    },
  },
  {
    name: 'leader’s machine freezes, then resumes',
    gapMaxMs: 30_000,
    async inflict(cluster, leader) {
      const before = await writer(cluster, leader)
      leader.freeze()
      const rejoined = await replaced(cluster, leader, async () => {
        leader.thaw()
        await before.mustNotWrite()
      })
      return rejoined
    },
  },
  {
    name: 'leader’s network is cut, then restored',
    gapMaxMs: 30_000,
    async inflict(cluster, leader) {
      const before = await writer(cluster, leader)
      leader.cut()
      return replaced(cluster, leader, async () => {
        leader.heal()
        await before.mustNotWrite()
      })
    },
  },
  {
    name: 'standby’s machine dies',
    gapMaxMs: 5_000,
    async inflict(cluster, leader) {
      const standby = cluster.nodes.find((node) => node !== leader)!
      await standby.die()
      await sleep(STANDBY_AWAY_MS)
      standby.heal()
      await standby.start()
      const rejoined = await cluster.untilRejoined(standby)
      assert.equal(await cluster.leader(), leader, 'the leader stays')
      return rejoined
    },
  },
  {
    name: 'standbys lag, then leader’s machine dies',
    gapMaxMs: LAG_MS + 30_000,
    async inflict(cluster, leader) {
      await holdReplication(leader, LAG_MS)
      await leader.die()
      return replaced(cluster, leader, async () => {
        leader.heal()
        await leader.start()
      })
    },
  },
  {
    name: 'all of etcd stops, then resumes',
    gapMaxMs: 5_000,
    async inflict(cluster, leader) {
      for (const node of cluster.nodes) signal(node.processes({ program: 'etcd' }), 'SIGKILL')
      await sleep(WITHOUT_ETCD_MS)
      for (const node of cluster.nodes) await node.startEtcd()
      await cluster.untilWhole()
      assert.equal(await cluster.leader(), leader, 'the leader stays')
      return undefined
    },
  },
]

/** Another node takes over; then the old leader is repaired and becomes its standby. */
async function replaced(
  cluster: Cluster,
  leader: Node,
  repair: () => Promise<void> = async () => {},
): Promise<number> {
  await cluster.untilAnotherLeads(leader)
  await repair()
  return cluster.untilRejoined(leader)
}

/** Keeps WAL from leaving the leader: the senders of standbys that connect again are stopped, too. */
export async function holdReplication(leader: Node, forMs: number): Promise<void> {
  for (const until = performance.now() + forMs; performance.now() < until; ) {
    signal(leader.processes({ program: 'postgres', word: 'walsender' }), 'SIGSTOP')
    await sleep(HOLD_EVERY_MS)
  }
}

/** A client that is connected to the leader itself, past HAProxy, and writes there when another node leads. */
async function writer(cluster: Cluster, leader: Node) {
  const url = new URL(cluster.ownerUrl)
  url.host = `${leader.address}:5432`
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => {})
  await client.connect()
  await client.query('create table if not exists strays (at timestamptz)')
  return {
    async mustNotWrite(): Promise<void> {
      const outcome = await Promise.race([
        client.query('insert into strays values (now())').then(
          () => 'written',
          () => 'refused',
        ),
        sleep(10_000, 'waiting', { ref: false }),
      ])
      void client.end().catch(() => {})
      assert.notEqual(outcome, 'written', 'a replaced leader acknowledged a write')
    },
  }
}
