/** Options of a single call: the last argument of every method. */
export interface CallOptions {
  /** One effect however often the call is made with it, for seven days. Every POST has a random one by default. */
  idempotencyKey?: string | undefined
  /** Ends the call, its pauses and its retries. */
  signal?: AbortSignal | undefined
  /** How long one try may take. */
  timeoutMs?: number | undefined
}
