/**
 * The outcome of a request to the processor. Only `ok` and `definite` are certain.
 *
 * After `retry_later` and `ambiguous`, retry under the same idempotency key or look up the outcome; a new key could
 * pay somebody twice.
 */
export type Outcome<T> =
  | { kind: 'ok'; value: T }
  /**
   * Permanently refused. To try again, send a new request under a new key: the old key would return the same refusal.
   */
  | {
      kind: 'definite'
      code: string
      message: string
      /**
       * Our API key was refused before the request was processed. That says nothing about an earlier try under the same
       * idempotency key that got no response: if there is one, treat this like `retry_later`.
       */
      isKeyRefused?: true
    }
  /** Not executed, but may succeed later. `afterMs` is set if the processor asks for a delay. */
  | { kind: 'retry_later'; code: string; afterMs?: number }
  /**
   * There was no response, or one that the processor did not write, or the processor failed: the request may have been
   * executed. `isAnswer` is true only for the processor's own failure, which it stores and returns again for the same
   * key.
   */
  | { kind: 'ambiguous'; cause: string; isAnswer: boolean }
