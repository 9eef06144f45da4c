/** One cluster: a queue of requests, and the outbox with its relay. */
import { type Chance, poisson } from './chance.ts'
import { type BatchCost, type Cost, COSTS, inBatch } from './costs.ts'
import { type Budget, FluidQueue } from './fluid-queue.ts'
import type { Setup } from './setup.ts'
import type { Waits } from './waits.ts'

/** A commit waits for the disk and for a synchronous standby, and each transaction for the network. */
const COMMIT_MS = 1
const TRIP_MS = 0.5

/** Classes of requests at a cluster. */
export const CREATE = 0
const ACCEPT = 1
const PROVE = 2
export const APPROVE = 3
export const ACCEPT_FAR = 4
export const PROVE_FAR = 5
export const APPROVE_FAR = 6
export const SEEK = 7
export const READ = 8
export const CLASSES = 9
/** The worker's part of a step. */
export const FAR_OF: Record<number, number> = {
  [ACCEPT]: ACCEPT_FAR,
  [PROVE]: PROVE_FAR,
  [APPROVE]: APPROVE_FAR,
}

const BATCHED: [number, BatchCost][] = [
  [CREATE, COSTS.create],
  [APPROVE, COSTS.approve],
  [APPROVE_FAR, COSTS.approveFar],
]

/** The resources that one request of each class uses when it runs alone. */
const NEEDS: Budget[] = []
NEEDS[ACCEPT] = needOf(COSTS.accept)
NEEDS[PROVE] = needOf(COSTS.prove)
NEEDS[ACCEPT_FAR] = needOf(COSTS.acceptFar)
NEEDS[PROVE_FAR] = needOf(COSTS.proveFar)
NEEDS[SEEK] = needOf(COSTS.seek)
NEEDS[READ] = needOf(COSTS.read)
for (const [k, cost] of BATCHED) NEEDS[k] = needOf(inBatch(cost, 1))

export class Cluster {
  readonly queue = new FluidQueue(CLASSES)
  readonly outbox = new FluidQueue(1)
  readonly used = { cpu: 0, wal: 0, connection: 0 }
  readonly needs = NEEDS.map((need) => ({ ...need }))
  /** Creations in a batch. */
  batch = 1
  /** Events of this step. */
  newEvents = 0
  /** The resources that relay and webhooks used in the last step. The next step has that much less. */
  background = { cpu: 0, wal: 0 }
  relayBusy = 0
  /** Workers' parts that arrive in the next step. */
  farNext = [0, 0, 0]
  readonly share: number

  constructor(share: number) {
    this.share = share
  }

  arrivals(setup: Setup, chance: Chance): number[] {
    const mean = (setup.creations * this.share) / 1000
    const amounts = Array.from({ length: CLASSES }, () => 0)
    for (const k of [CREATE, ACCEPT, PROVE, APPROVE]) amounts[k] = poisson(mean, chance)
    amounts[SEEK] = poisson(setup.pages / setup.clusters / 1000, chance)
    amounts[READ] = poisson(mean * setup.readsPerTask, chance)
    return amounts
  }

  budget(setup: Setup): Budget {
    return {
      cpu: setup.cores - this.background.cpu,
      wal: setup.walMegabytes * 1000 - this.background.wal,
      connection: setup.connections,
    }
  }

  /** Updates what one request of each class needs: the more of them wait, the larger are the batches. */
  formBatches(setup: Setup): void {
    const lanes = setup.processes * setup.schemasPerCluster
    const rate = (setup.creations * this.share) / 1000
    for (const [k, cost] of BATCHED) {
      const heldMs = NEEDS[k]!.connection
      const size = Math.min(cost.sizeMax, 1 + (this.queue.waiting[k]! + rate * heldMs) / lanes)
      const { cpu, wal } = inBatch(cost, size)
      this.needs[k] = { cpu, wal, connection: cpu + (COMMIT_MS + TRIP_MS) / size }
      if (k === CREATE) this.batch = size
    }
  }

  /** The relay is one process that takes batch after batch: its limit is time, not cores. */
  relay(step: number, setup: Setup, waits: Waits): void {
    this.outbox.add(step, [this.newEvents])
    this.newEvents = 0
    const budget = { cpu: setup.relays, wal: Infinity, connection: Infinity }
    let taken = 0
    const { serial } = COSTS.relay
    this.outbox.serve(step, budget, [{ cpu: serial, wal: 0, connection: 0 }], (_, amount, ms) => {
      taken += amount
      waits.add(ms, amount)
    })
    this.relayBusy += setup.relays - budget.cpu
    this.background = {
      cpu: taken * (COSTS.relay.cpu + COSTS.deliver.cpu),
      wal: taken * (COSTS.relay.wal + COSTS.deliver.wal),
    }
  }
}

/** A transaction holds its connection while it runs and commits. */
export function needOf({ cpu, wal }: Cost): Budget {
  return { cpu, wal, connection: cpu + (wal > 0 ? COMMIT_MS : 0) + TRIP_MS }
}

/** How long a full batch of creations keeps the wallets of its agents locked. */
export const fullBatchMs =
  inBatch(COSTS.create, COSTS.create.sizeMax).cpu * COSTS.create.sizeMax + COMMIT_MS + TRIP_MS
