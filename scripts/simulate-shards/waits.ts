/** Waits in milliseconds, with the number of requests that waited so long. */
export class Waits {
  readonly #counts: number[] = []
  count = 0
  sum = 0

  add(waitedMs: number, amount: number): void {
    this.#counts[waitedMs] = (this.#counts[waitedMs] ?? 0) + amount
    this.count += amount
    this.sum += waitedMs * amount
  }

  /** The wait that this share of the requests does not exceed. */
  quantile(share: number): number {
    let seen = 0
    for (let ms = 0; ms < this.#counts.length; ms += 1) {
      seen += this.#counts[ms] ?? 0
      if (seen >= share * this.count) return ms
    }
    return Math.max(0, this.#counts.length - 1)
  }
}
