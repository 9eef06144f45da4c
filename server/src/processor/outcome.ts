/**
 * What became of a request to the processor. Only `ok` and `definite` say so for certain.
 *
 * After `retry_later` and `ambiguous` the request is repeated under the same key, or looked up; a new key there could
 * pay somebody twice.
 */
export type Outcome<T> =
  | { kind: 'ok'; value: T }
  /** Refused for good. A new try is a new request, under a new key: the old one would answer the same. */
  | {
      kind: 'definite'
      code: string
      message: string
      /**
       * Our key was refused before the request was looked at. That tells nothing of an earlier try under the same
       * idempotency key that stayed without an answer: with one outstanding, it is as good as `retry_later`.
       */
      isKeyRefused?: true
    }
  /** Not done, and nothing against it. `afterMs` where the processor asks for a pause. */
  | { kind: 'retry_later'; code: string; afterMs?: number }
  /**
   * No answer, or one that the processor has not written, or its own failure: it may have happened. `isAnswer` is true
   * for the last alone. The processor keeps that answer, and gives it again whenever the key comes again.
   */
  | { kind: 'ambiguous'; cause: string; isAnswer: boolean }
