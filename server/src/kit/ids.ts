import { randomFillSync } from 'node:crypto'
import { z } from 'zod'

/** The number of logical shards: 12 bits. It can never change, since every id contains its shard. */
export const SHARDS = 4096

/** For an agent or a worker that belongs to no shard yet. */
export const randomShard = () => Math.floor(Math.random() * SHARDS)

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const VALUES = new Map(Array.from(ALPHABET).map((letter, value) => [letter, value]))

export type Prefix =
  | 'agent'
  | 'worker'
  | 'task'
  | 'asg'
  | 'proof'
  | 'upl'
  | 'dsp'
  | 'apl'
  | 'po'
  | 'rfd'
  | 'wd'
  | 'wdn'
  | 'wss'
  | 'wec'
  | 'wqn'
  | 'wqm'
  | 'txn'
  | 'evt'
  | 'dlv'
  | 'key'
  | 'person'
  | 'plk'
  | 'act'
  | 'ntc'
  | 'psh'
  | 'req'
  | 'opr'
  | 'opd'
  | 'nte'
  | 'dnc'
  | 'client'
  | 'grant'

const random = Buffer.alloc(4096)
let used = random.length
let newestMs = 0
let counter = 0

/**
 * Creates an id: `<prefix>_` and 26 base32 characters, a UUIDv7 whose 12 bits after the version are the logical shard.
 * Ids sorted as text are sorted by time, and a row's shard can be read from its id without a lookup.
 */
export function mintId(prefix: Prefix, at: Date, shard: number): string {
  if (used > random.length - 8) {
    randomFillSync(random)
    used = 0
  }
  // Ids of one millisecond and shard sort in the order in which this process created them: a counter that restarts at a
  // random value below half of its 30 bits whenever the clock advances, then 32 random bits.
  const ms = at.getTime()
  counter = ms > newestMs ? random.readUInt32BE(used) & 0x1fffffff : counter + 1
  newestMs = Math.max(ms, newestMs)

  const bytes = Buffer.allocUnsafe(16)
  bytes.writeUIntBE(ms, 0, 6)
  bytes.writeUInt16BE(0x7000 | shard, 6)
  bytes.writeUInt32BE(0x80000000 + counter, 8)
  random.copy(bytes, 12, used + 4, used + 8)
  used += 8
  // The id of a wallet transaction is even, so that `siblingId` can derive a second one.
  if (prefix === 'txn') bytes[15] = bytes[15]! & 0xfe
  return `${prefix}_${encode(bytes)}`
}

/** The logical shard encoded in an id. */
export function shardOf(id: string): number {
  const letters = id.slice(id.indexOf('_') + 1)
  const value = (position: number) => VALUES.get(letters[position] ?? '') ?? 0
  return ((value(10) & 1) << 11) | (value(11) << 6) | (value(12) << 1) | (value(13) >> 4)
}

/** No id that was created at this time or later sorts before this one. */
export function firstIdAt(prefix: Prefix, at: Date): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  return `${prefix}_${encode(bytes)}`
}

/** When an id was created: its first ten characters encode the milliseconds. */
export function timeOf(id: string): Date {
  const letters = id.slice(id.indexOf('_') + 1)
  let ms = 0
  for (let i = 0; i < 10; i += 1) ms = ms * 32 + (VALUES.get(letters[i] ?? '') ?? 0)
  return new Date(ms)
}

/** The database that holds a logical shard, if `databases` of them hold equal ranges of shards. */
export function databaseOf(shard: number, databases: number): number {
  return Math.floor((shard * databases) / SHARDS)
}

/** The odd sibling of an even id, for a ledger line that appears as two rows on a statement. */
export function siblingId(id: string): string {
  const last = VALUES.get(id.at(-1) ?? '') ?? 0
  return id.slice(0, -1) + ALPHABET[last ^ 1]
}

export const idPattern = (prefix: Prefix) => new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`)

/** The schema of an id in a request; `thing` completes the message `is not the id of`. */
export const idOf = (prefix: Prefix, thing: string) =>
  z.string().regex(idPattern(prefix), `is not the id of ${thing}`)

function encode(bytes: Buffer): string {
  let text = ALPHABET[bytes[0]! >> 5]! + ALPHABET[bytes[0]! & 31]!
  for (let i = 1; i < 16; i += 5) {
    const [a, b, c, d, e] = [bytes[i]!, bytes[i + 1]!, bytes[i + 2]!, bytes[i + 3]!, bytes[i + 4]!]
    text +=
      ALPHABET[a >> 3]! +
      ALPHABET[((a & 7) << 2) | (b >> 6)]! +
      ALPHABET[(b >> 1) & 31]! +
      ALPHABET[((b & 1) << 4) | (c >> 4)]! +
      ALPHABET[((c & 15) << 1) | (d >> 7)]! +
      ALPHABET[(d >> 2) & 31]! +
      ALPHABET[((d & 3) << 3) | (e >> 5)]! +
      ALPHABET[e & 31]!
  }
  return text
}
