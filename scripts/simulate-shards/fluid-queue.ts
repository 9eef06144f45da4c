/**
 * A queue in steps of one millisecond. What arrives in one step is a group, and groups are served in order of arrival,
 * as far as the budgets of the step reach. The rest of a group waits. Amounts are not whole: 0.3 requests can be
 * served.
 */

/** Resources of one step, or of one request: ms of CPU time, bytes of WAL, ms of a connection. */
export interface Budget {
  cpu: number
  wal: number
  connection: number
}

export class FluidQueue {
  /** Requests that wait, by class. */
  readonly waiting: number[]
  length = 0
  readonly #classes: number
  #arrivedAt: number[] = []
  #amounts: number[] = []
  #head = 0

  constructor(classes: number) {
    this.#classes = classes
    this.waiting = Array.from({ length: classes }, () => 0)
  }

  add(step: number, amounts: readonly number[]): void {
    let sum = 0
    for (let k = 0; k < this.#classes; k += 1) {
      this.#amounts.push(amounts[k]!)
      this.waiting[k]! += amounts[k]!
      sum += amounts[k]!
    }
    this.#arrivedAt.push(step)
    this.length += sum
  }

  /** Serves what the budget allows, and takes it from the budget. */
  serve(
    step: number,
    budget: Budget,
    needs: readonly Budget[],
    onServed: (k: number, amount: number, waitedMs: number) => void,
  ): void {
    while (this.#head < this.#arrivedAt.length) {
      const at = this.#head * this.#classes
      const group = { cpu: 0, wal: 0, connection: 0 }
      for (let k = 0; k < this.#classes; k += 1) {
        const amount = this.#amounts[at + k]!
        group.cpu += amount * needs[k]!.cpu
        group.wal += amount * needs[k]!.wal
        group.connection += amount * needs[k]!.connection
      }
      const share = Math.min(
        1,
        shareOf(budget.cpu, group.cpu),
        shareOf(budget.wal, group.wal),
        shareOf(budget.connection, group.connection),
      )
      budget.cpu -= share * group.cpu
      budget.wal -= share * group.wal
      budget.connection -= share * group.connection
      const waitedMs = step - this.#arrivedAt[this.#head]!
      for (let k = 0; k < this.#classes; k += 1) {
        const served = share * this.#amounts[at + k]!
        if (served === 0) continue
        this.#amounts[at + k]! -= served
        this.waiting[k]! -= served
        this.length -= served
        onServed(k, served, waitedMs)
      }
      if (share < 1) return
      this.#head += 1
      if (this.#head === 4096) this.#forget()
    }
  }

  #forget(): void {
    this.#arrivedAt = this.#arrivedAt.slice(this.#head)
    this.#amounts = this.#amounts.slice(this.#head * this.#classes)
    this.#head = 0
  }
}

const shareOf = (left: number, needed: number) => (needed <= 0 ? 1 : Math.max(0, left) / needed)
