/**
 * What the phone keeps for when there is no network: the last answers of the server, and what must outlive a closed
 * tab. Answers are those of the person who is here, and go when they log out. Drafts and proofs on their way say whose
 * they are: they are shown to nobody else, and sent as nobody else's. Nothing in it is a secret that opens an account.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Draft } from './phone/draft.ts'
import type { OutboxItem } from './phone/outbox-rules.ts'

export interface Kept extends DBSchema {
  /** The last good answer to a question, by the key of its query. */
  answers: { key: string; value: { data: unknown; at: number } }
  /** Proofs on their way; phone/outbox.ts. */
  outbox: { key: string; value: OutboxItem }
  /** What was begun and not sent, by worker and task; phone/draft-store.ts. */
  drafts: { key: string; value: Draft }
  /** The bytes of photos and recordings of both. Buffers, since not every browser keeps blobs. */
  media: { key: string; value: ArrayBuffer }
  /** What the service worker must know and can't read elsewhere. */
  settings: { key: 'language'; value: string }
}

/** Pieces of the street map have a cache of their own; find/street-tiles.ts. */
export const STREETS = 'legwork-streets'

let opened: Promise<IDBPDatabase<Kept>> | undefined

export function keptDb(): Promise<IDBPDatabase<Kept>> {
  opened ??= openDB<Kept>('legwork', 1, {
    upgrade(db) {
      for (const store of ['answers', 'outbox', 'drafts', 'media', 'settings'] as const)
        db.createObjectStore(store)
    },
    terminated() {
      opened = undefined
    },
  })
  return opened
}

/** Some browsers refuse storage, as in private windows: the app then works, and forgets. */
export async function keepAnswer(key: string, data: unknown): Promise<void> {
  try {
    await (await keptDb()).put('answers', { data, at: Date.now() }, key)
  } catch {
    // Only a copy.
  }
}

export async function keptAnswers(): Promise<Map<string, { data: unknown; at: number }>> {
  try {
    const db = await keptDb()
    const [keys, values] = await Promise.all([db.getAllKeys('answers'), db.getAll('answers')])
    return new Map(keys.map((key, at) => [key, values[at]!]))
  } catch {
    return new Map()
  }
}

/** Of the person who was here. What they had begun or not yet sent is theirs when they come back. */
export async function forgetAll(): Promise<void> {
  try {
    await (await keptDb()).clear('answers')
  } catch {
    // There was nothing to keep it in.
  }
}

/** For the service worker, which can't see what the page has chosen. */
export async function keepLanguage(language: string): Promise<void> {
  try {
    await (await keptDb()).put('settings', language, 'language')
  } catch {
    // It then speaks as the phone is set.
  }
}
