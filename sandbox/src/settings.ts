/** Settings of the control API, with their defaults. Stored in the database, like everything else. */
import type { Store } from './store.ts'

export interface Settings {
  /** How far the sandbox's clock is ahead of its base. */
  skew_ms: number
  /** How long the money of a charge stays pending. */
  available_delay_seconds: number
  /** A charge succeeds without its balance transaction, which follows later with `charge.updated`. */
  asynchronous_capture: boolean
  /** A refund starts as pending and completes when the control API says so. */
  pending_refunds: boolean
  /** Fee for countering a dispute, in cents; returned if it is won. */
  countered_fee: number
  /** Deliveries wait until they are released. */
  hold_deliveries: boolean
  delivery_policy: { duplicate: number; drop: number; shuffle: boolean; seed: number }
  /** The time up to which `balance.available` events were sent. */
  available_until: number
}

const DEFAULTS: Settings = {
  skew_ms: 0,
  available_delay_seconds: 0,
  asynchronous_capture: false,
  pending_refunds: false,
  countered_fee: 0,
  hold_deliveries: false,
  delivery_policy: { duplicate: 0, drop: 0, shuffle: false, seed: 1 },
  available_until: 0,
}

export function readSetting<Name extends keyof Settings>(store: Store, name: Name): Settings[Name] {
  const row = store.one<{ value: string }>('select value from settings where name = ?', name)
  return row === undefined ? DEFAULTS[name] : (JSON.parse(row.value) as Settings[Name])
}

export function writeSetting<Name extends keyof Settings>(
  store: Store,
  name: Name,
  value: Settings[Name],
): void {
  store.run(
    'insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
    name,
    JSON.stringify(value),
  )
}

export function readSettings(store: Store): Settings {
  const rows = store.all<{ name: string; value: string }>('select name, value from settings')
  const written = rows.map(({ name, value }) => [name, JSON.parse(value) as unknown])
  return { ...DEFAULTS, ...(Object.fromEntries(written) as Partial<Settings>) }
}
