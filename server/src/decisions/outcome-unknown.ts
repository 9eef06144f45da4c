/**
 * The processor hasn't said what came of a request, which may have succeeded. The decision stays `agreed`, and
 * `resumeDecisions` asks again; the request takes effect only once.
 */
export class OutcomeUnknown extends Error {
  /** The part of the result that is known already. */
  readonly known: unknown

  constructor(known: unknown) {
    super('the outcome is not known yet')
    this.known = known
  }
}
