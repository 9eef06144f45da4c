/**
 * IndexedDB for offline use: cached responses, and data that must survive a closed tab. Cached responses belong to the
 * current worker and are deleted on logout. Drafts and outgoing proofs store their worker's id: they are never shown to
 * anyone else or sent as anyone else's. It stores no credentials.
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { Draft } from './phone/draft.ts'
import type { OutboxItem } from './phone/outbox-rules.ts'

export interface Kept extends DBSchema {
  /** The last good response of a query, by query key. */
  answers: { key: string; value: { data: unknown; at: number; form?: number } }
  /** Outgoing proofs; see phone/outbox.ts. */
  outbox: { key: string; value: OutboxItem }
  /** Unsent drafts, by worker and task; see phone/draft-store.ts. */
  drafts: { key: string; value: Draft }
  /** Bytes of photos and recordings of both. ArrayBuffers, since not every browser can store Blobs. */
  media: { key: string; value: ArrayBuffer }
  /** Settings for the service worker, which can't read them elsewhere. */
  settings: { key: 'language'; value: string }
}

/** Increase it when a screen needs a field that responses stored by an older app lack. */
export const ANSWERS_FORM = 4

/** Street map tiles have their own cache; see find/street-tiles.ts. */
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

/** Some browsers refuse storage, for example in private windows: the app then works without a cache. */
export async function keepAnswer(key: string, data: unknown): Promise<void> {
  try {
    await (await keptDb()).put('answers', { data, at: Date.now(), form: ANSWERS_FORM }, key)
  } catch {
    // Only a cache.
  }
}

export async function keptAnswers(): Promise<Map<string, Kept['answers']['value']>> {
  try {
    const db = await keptDb()
    const [keys, values] = await Promise.all([db.getAllKeys('answers'), db.getAll('answers')])
    return new Map(keys.map((key, at) => [key, values[at]!]))
  } catch {
    return new Map()
  }
}

/** Deletes cached responses of the previous worker. Drafts and unsent proofs stay for when they come back. */
export async function forgetAll(): Promise<void> {
  try {
    await (await keptDb()).clear('answers')
  } catch {
    // Storage isn't available, so nothing was cached.
  }
}

/** For the service worker, which can't read the page's choice. */
export async function keepLanguage(language: string): Promise<void> {
  try {
    await (await keptDb()).put('settings', language, 'language')
  } catch {
    // The service worker then uses the phone's language.
  }
}
