/** One sandbox: its database, clock and deliveries. Every operation on it starts a transaction here. */
import { runDue } from './clock.ts'
import { type Deliveries, startDeliveries } from './deliver.ts'
import { readSetting } from './settings.ts'
import { openStore, type Store } from './store.ts'
import { PLATFORM, type Tx } from './tx.ts'

export interface Sandbox {
  store: Store
  /** Grants access to the control API and the operator's dashboard. */
  token: string
  /** Base URL of the hosted pages. */
  publicUrl: string
  deliveries: Deliveries
  /** Idempotency keys of requests in progress. */
  keysInUse: Set<string>
  /** Aborted on shutdown, so that nothing keeps waiting. */
  stopping: AbortSignal
  close(): Promise<void>
  /** The clock of the sandbox, in milliseconds. */
  now(): number
  /** Runs the work atomically; its events are sent afterward. */
  transaction<T>(work: (tx: Tx) => T, who?: Partial<Pick<Tx, 'account' | 'request'>>): T
}

export interface OpenSandbox {
  file?: string | undefined
  token: string
  publicUrl: string
  now: () => Date
  retryDelaysMs?: readonly number[] | undefined
}

const NOBODY = { id: null, idempotency_key: null }

export function openSandbox({ file, token, publicUrl, now, retryDelaysMs }: OpenSandbox): Sandbox {
  const store = openStore(file)
  const stopping = new AbortController()
  const clock = () => now().getTime() + readSetting(store, 'skew_ms')
  const deliveries = startDeliveries({ store, now: () => now().getTime(), retryDelaysMs })
  return {
    store,
    token,
    publicUrl,
    deliveries,
    keysInUse: new Set(),
    stopping: stopping.signal,
    async close() {
      stopping.abort()
      await deliveries.stop()
      store.close()
    },
    now: clock,
    transaction(work, { account = PLATFORM, request = NOBODY } = {}) {
      const result = store.transaction(() => {
        const nowMs = clock()
        const tx = { store, now: Math.floor(nowMs / 1000), nowMs, account, publicUrl, request }
        runDue({ ...tx, request: NOBODY })
        return work(tx)
      })
      deliveries.wake()
      return result
    },
  }
}
