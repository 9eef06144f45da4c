/** List the server's own keys by their fingerprints, and what still needs a key that was replaced. */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import { readShards } from '../kit/everywhere.ts'
import type { Reader } from '../kit/db.ts'
import { nameOf } from '../kit/secrets.ts'
import { oldPair } from '../notices/push-services.ts'
import { command } from './command.ts'

interface Key {
  fingerprint: string
  /** The first key of a setting is used; the others are only accepted. */
  is_current: boolean
  /** What in the database needs this key; null if nothing in it does. */
  needed_by: string | null
}

interface Secret {
  setting: string
  keys: Key[]
  /** When a replaced key can be removed, if the database doesn't show it. */
  old_until: string | null
}

export const secrets = command({
  name: 'secrets',
  takes: '[--json]',
  does: 'list the keys in use, and what still needs a replaced one',
  right: 'operate',
  isLook: true,
  async run({ db, config }) {
    const { WORKER_TOKEN_DAYS, FILE_LINK_MINUTES } = config
    const plain = (setting: string, keys: readonly string[], old_until: string): Secret => ({
      setting,
      keys: keys.map((key, i) => ({
        fingerprint: nameOf(key),
        is_current: i === 0,
        needed_by: null,
      })),
      old_until,
    })
    const all: Secret[] = [
      plain(
        'WORKER_TOKEN_KEYS',
        (config.WORKER_TOKEN_KEYS ?? '').split(',').filter((key) => key !== ''),
        `${WORKER_TOKEN_DAYS} days after the new key became the first`,
      ),
      await sealing(db.shards.readers, config),
      plain(
        'FILES_LINK_KEY',
        config.FILES_LINK_KEY,
        `${FILE_LINK_MINUTES} minutes after the new key became the first`,
      ),
      await pushing(db.shards.readers, config),
      ...(['STRIPE_SECRETS_ACCOUNT', 'STRIPE_SECRETS_CONNECT', 'STRIPE_SECRETS_V2'] as const).map(
        (setting) => plain(setting, config[setting], 'the processor stopped signing with it'),
      ),
    ]
    return {
      data: { secrets: all.filter(({ keys }) => keys.length > 0), logins: await logins(db.reader) },
    }
  },
})

/** Counts agents by the key that encrypts their webhook secret. */
async function sealing(
  shards: readonly Reader[],
  { WEBHOOK_SECRET_KEYS }: Config,
): Promise<Secret> {
  const parts = await readShards(shards, sealedOfShard)
  const count = (name: string | null) =>
    parts.flat().reduce((sum, row) => sum + (row.name === name ? row.agents : 0), 0)
  return {
    setting: 'WEBHOOK_SECRET_KEYS',
    keys: WEBHOOK_SECRET_KEYS.map((key, i) => ({
      fingerprint: nameOf(key),
      is_current: i === 0,
      needed_by: `${count(nameOf(key))} agents`,
    })),
    old_until: null,
  }
}

async function sealedOfShard(shard: Reader): Promise<{ name: string | null; agents: number }[]> {
  const { rows } = await sql<{ name: string | null; agents: number }>`
    select key_name as name, count(distinct id)::int as agents
      from agents, unnest(array[webhook_secret, webhook_secret_old]) kept,
           substring(kept from '^sealed_([0-9a-f]+)_') key_name
     where kept is not null
     group by key_name`.execute(shard)
  return rows
}

/** Counts devices by the key with which they subscribed. */
async function pushing(shards: readonly Reader[], config: Config): Promise<Secret> {
  const { PUSH_PUBLIC_KEY: current } = config
  const rows = (await readShards(shards, devicesOfShard)).flat()
  const count = (...keys: (string | null | undefined)[]) =>
    rows.filter((row) => keys.includes(row.server_key)).reduce((sum, row) => sum + row.devices, 0)
  if (current === undefined) return { setting: 'PUSH_PUBLIC_KEY', keys: [], old_until: null }
  const old = oldPair(config)?.publicKey
  const isFirst = old === undefined
  return {
    setting: 'PUSH_PUBLIC_KEY',
    keys: [
      {
        fingerprint: nameOf(current),
        is_current: true,
        needed_by: `${count(current, isFirst ? null : undefined)} devices`,
      },
      ...(isFirst
        ? []
        : [
            {
              fingerprint: nameOf(old),
              is_current: false,
              needed_by: `${count(old, null)} devices`,
            },
          ]),
    ],
    old_until: null,
  }
}

const devicesOfShard = (shard: Reader) =>
  shard
    .selectFrom('push_subscriptions')
    .select(['server_key', (count) => count.fn.countAll<number>().as('devices')])
    .groupBy('server_key')
    .execute()

/** Counts the connections of this database by login: during a change of its password there are two. */
async function logins(db: Reader): Promise<{ name: string; connections: number }[]> {
  const { rows } = await sql<{ name: string; connections: number }>`
    select usename as name, count(*)::int as connections from pg_stat_activity
     where datname = current_database() and application_name like 'legwork%'
     group by usename order by usename`.execute(db)
  return rows
}
