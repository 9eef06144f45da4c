/** Options for a single call: the last argument of every method. */
export interface CallOptions {
  /** Makes the call safe to repeat: one effect per key, for seven days. Every POST gets a random key by default. */
  idempotencyKey?: string | undefined
  /** Aborts the call, including its retries. */
  signal?: AbortSignal | undefined
  /** Time limit of each attempt, in milliseconds. */
  timeoutMs?: number | undefined
}
