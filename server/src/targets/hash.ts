/**
 * Hashes targets, so that no table of counts holds the phone number or the address of somebody who has no account. The
 * key is in a table of its own: with a copy of the counts alone, nobody can try all phone numbers.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { Shards } from '../kit/db.ts'
import type { Target } from './find-targets.ts'

const KEY_BYTES = 32
const keys = new WeakMap<Shards, Promise<Buffer>>()

export async function hashTarget(shards: Shards, { kind, value }: Target): Promise<string> {
  const key = await keyOf(shards)
  return createHmac('sha256', key).update(`${kind}\n${value}`).digest('base64url')
}

function keyOf(shards: Shards): Promise<Buffer> {
  const known = keys.get(shards)
  if (known !== undefined) return known
  const reading = readOrMakeKey(shards)
  keys.set(shards, reading)
  reading.catch(() => keys.delete(shards))
  return reading
}

/** Several processes may start at once: the first row wins, and all of them read it. */
async function readOrMakeKey({ global: { reader } }: Shards): Promise<Buffer> {
  const read = () => reader.selectFrom('target_keys').select('key').executeTakeFirst()
  const found = await read()
  if (found !== undefined) return found.key
  await reader
    .insertInto('target_keys')
    .values({ id: 1, key: randomBytes(KEY_BYTES) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await read())!.key
}
