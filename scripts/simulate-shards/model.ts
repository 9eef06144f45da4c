/**
 * Sixteen clusters under load, in steps of one millisecond: arrivals are random (Poisson), service is a flow. Single
 * requests would give the same waits, because thousands of them share each resource, and would take 100 times as long
 * to simulate.
 *
 *   agents    have a size by Zipf's law, and a random logical shard; a range of shards is a cluster
 *   clusters  have cores, a WAL device, connections and one relay
 *   feed      has its own clusters, by region; the relay writes to them
 *
 * A transition of a task is a transaction in the agent's cluster, then one in the worker's, which can be any cluster. A
 * lost cluster answers nothing: writes are repeated until it is back, reads are not.
 */
import { poisson, seeded, zipf } from './chance.ts'
import {
  ACCEPT_FAR,
  APPROVE,
  APPROVE_FAR,
  CLASSES,
  Cluster,
  CREATE,
  FAR_OF,
  fullBatchMs,
  needOf,
  PROVE_FAR,
  READ,
  SEEK,
} from './cluster.ts'
import { COSTS, EVENTS_PER_TASK } from './costs.ts'
import { type Budget, FluidQueue } from './fluid-queue.ts'
import { indexOfMax, spread, spreadCities } from './placement.ts'
import { DEFAULTS, type Setup } from './setup.ts'
import { Waits } from './waits.ts'

/** The first class of work at a cluster of the feed; the other one is new tasks. */
const PAGE = 0
const FEED_NEEDS = [needOf(COSTS.page), needOf(COSTS.project)]

export interface Result {
  /** Waits before a transaction begins, in all clusters, without the feed. */
  waits: Waits
  /** The same for one cluster, which is the disturbed one or else the busiest, and for the others. */
  ofCluster: Waits
  ofOthers: Waits
  /** From the commit of the agent's part of an approval to the worker's. */
  crossing: Waits
  /** From the commit of an event until the relay has taken it. */
  relayed: Waits
  pages: Waits
  /** Shares of capacity that were used, on average and in the busiest cluster. */
  use: Record<Resource, { mean: number; max: number }>
  /** The longest queue of one cluster. */
  longest: { requests: number; events: number; pages: number }
  /** The queues at the end, which are short unless something is overloaded. */
  left: { requests: number; events: number; pages: number }
  /** The mean length of all queues of requests, and their arrivals per second: for Little's law. */
  meanLength: number
  arrivals: number
  /** Requests for pages that met a lost cluster. */
  unseen: number
  /** Seconds from the end of the disturbance until no queue was longer than before it. */
  drained: number | undefined
  /** Tasks per second of the largest agent. */
  largest: number
  /** Mean number of creations in a batch. */
  batch: number
}

export type Resource = 'cpu' | 'wal' | 'connections' | 'relay' | 'feed'

export function simulate(given: Partial<Setup> = {}): Result {
  const setup = { ...DEFAULTS, ...given }
  const simulation = new Simulation(setup)
  for (let step = 0; step < simulation.steps; step += 1) simulation.run(step)
  return simulation.result()
}

class Simulation {
  readonly steps: number
  readonly #setup: Setup
  readonly #chance
  readonly #clusters: Cluster[]
  readonly #feeds
  /** Requests to a schema that is being moved. */
  readonly #held = new FluidQueue(CLASSES)
  readonly #watched: number
  readonly #largest: number
  readonly #waits = {
    waits: new Waits(),
    ofCluster: new Waits(),
    ofOthers: new Waits(),
    crossing: new Waits(),
    relayed: new Waits(),
    pages: new Waits(),
  }
  readonly #longest = { requests: 0, events: 0, pages: 0 }
  /** The worker's parts of this step's transitions, and this step's new tasks. */
  #far = [0, 0, 0]
  #created = 0
  #longestBefore = 0
  #drained: number | undefined
  #lengths = 0
  #arrivals = 0
  #unseen = 0
  #batches = 0

  constructor(setup: Setup) {
    this.#setup = setup
    this.steps = setup.seconds * 1000
    this.#chance = seeded(setup.seed)
    const { shares, largest } = spread(setup, this.#chance)
    this.#largest = largest
    this.#watched = setup.lost?.cluster ?? setup.move?.target ?? indexOfMax(shares)
    this.#clusters = shares.map((share) => new Cluster(share))
    this.#feeds = spreadCities(setup.feedClusters).map((share) => ({
      share,
      queue: new FluidQueue(2),
      used: 0,
    }))
  }

  run(step: number): void {
    this.#far = [0, 0, 0]
    this.#created = 0
    for (const i of this.#clusters.keys()) {
      const isLost = this.#isLost(i, step / 1000)
      this.#arrive(i, step, isLost)
      if (!isLost) this.#serve(i, step)
    }
    let longest = this.#held.length
    for (const cluster of this.#clusters) {
      cluster.farNext = this.#far.map((sum) => sum / this.#clusters.length)
      longest = Math.max(longest, cluster.queue.length)
      this.#lengths += cluster.queue.length
    }
    this.#longest.requests = Math.max(this.#longest.requests, longest)
    this.#feed(step)
    this.#noteDrained(step / 1000, longest)
  }

  #isLost(i: number, at: number): boolean {
    const { lost } = this.#setup
    return lost?.cluster === i && at >= lost.from && at < lost.until
  }

  #arrive(i: number, step: number, isLost: boolean): void {
    const { move, schemasPerCluster } = this.#setup
    const cluster = this.#clusters[i]!
    const amounts = cluster.arrivals(this.#setup, this.#chance)
    for (const [n, k] of [ACCEPT_FAR, PROVE_FAR, APPROVE_FAR].entries())
      amounts[k] = cluster.farNext[n]!
    if (isLost) {
      this.#unseen += amounts[SEEK]! + amounts[READ]!
      amounts[SEEK] = 0
      amounts[READ] = 0
    }
    this.#arrivals += amounts.reduce((sum, amount) => sum + amount, 0)
    if (move?.source === i && step >= move.from * 1000) {
      const part = amounts.map((amount) => amount / schemasPerCluster)
      for (const [k, amount] of part.entries()) amounts[k]! -= amount
      const queue = step < move.until * 1000 ? this.#held : this.#clusters[move.target]!.queue
      queue.add(step, part)
    }
    cluster.queue.add(step, amounts)
  }

  #serve(i: number, step: number): void {
    const { move } = this.#setup
    const cluster = this.#clusters[i]!
    cluster.formBatches(this.#setup)
    this.#batches += cluster.batch
    const budget = cluster.budget(this.#setup)
    const full = { ...budget }
    const onServed = (k: number, amount: number, waitedMs: number) =>
      this.#noteServed(i, k, amount, waitedMs)
    if (move?.target === i && step >= move.until * 1000 && this.#held.length > 1e-6)
      this.#serveHeld(step, budget, cluster, onServed)
    cluster.queue.serve(step, budget, cluster.needs, onServed)
    cluster.relay(step, this.#setup, this.#waits.relayed)
    cluster.used.cpu += full.cpu - budget.cpu + cluster.background.cpu
    cluster.used.wal += full.wal - budget.wal + cluster.background.wal
    cluster.used.connection += full.connection - budget.connection
    this.#longest.events = Math.max(this.#longest.events, cluster.outbox.length)
  }

  /** Requests that waited for a move are served first, with up to half of the cluster. */
  #serveHeld(
    step: number,
    budget: Budget,
    { needs }: Cluster,
    onServed: Parameters<FluidQueue['serve']>[3],
  ): void {
    const { cpu, wal, connection } = budget
    const half = { cpu: cpu / 2, wal: wal / 2, connection: connection / 2 }
    this.#held.serve(step, half, needs, onServed)
    budget.cpu -= cpu / 2 - half.cpu
    budget.wal -= wal / 2 - half.wal
    budget.connection -= connection / 2 - half.connection
  }

  #noteServed(i: number, k: number, amount: number, waitedMs: number): void {
    const { waits, ofCluster, ofOthers, crossing } = this.#waits
    if (k >= ACCEPT_FAR && k <= APPROVE_FAR) crossing.add(waitedMs, amount)
    else {
      waits.add(waitedMs, amount)
      const some = i === this.#watched ? ofCluster : ofOthers
      some.add(waitedMs, amount)
    }
    if (k <= APPROVE) this.#clusters[i]!.newEvents += amount
    if (k === CREATE) this.#created += amount
    const there = FAR_OF[k]
    const { clusters } = this.#setup
    if (there !== undefined) this.#far[there - ACCEPT_FAR]! += (amount * (clusters - 1)) / clusters
  }

  #feed(step: number): void {
    const { pages, feedCores, walMegabytes } = this.#setup
    for (const feed of this.#feeds) {
      const asked = poisson((pages * feed.share) / 1000, this.#chance)
      feed.queue.add(step, [asked, this.#created * feed.share])
      const budget = { cpu: feedCores, wal: walMegabytes * 1000, connection: Infinity }
      feed.queue.serve(step, budget, FEED_NEEDS, (k, amount, waitedMs) => {
        if (k === PAGE) this.#waits.pages.add(waitedMs, amount)
      })
      feed.used += feedCores - budget.cpu
      this.#longest.pages = Math.max(this.#longest.pages, feed.queue.length)
    }
  }

  #noteDrained(at: number, longest: number): void {
    const disturbance = this.#setup.lost ?? this.#setup.move
    if (disturbance === undefined) return
    if (at < disturbance.from) this.#longestBefore = Math.max(this.#longestBefore, longest)
    if (at < disturbance.until) return
    if (longest > this.#longestBefore + 10) this.#drained = undefined
    else this.#drained ??= at - disturbance.until
  }

  result(): Result {
    const { cores, walMegabytes, connections, relays, feedCores, creations, seconds } = this.#setup
    const clusters = this.#clusters
    const uses = (each: number[], capacity: number) => ({
      mean: each.reduce((sum, one) => sum + one, 0) / each.length / this.steps / capacity,
      max: Math.max(...each) / this.steps / capacity,
    })
    const used = (key: keyof Budget) => clusters.map((cluster) => cluster.used[key])
    const longestOf = (queues: { length: number }[]) =>
      Math.max(...queues.map(({ length }) => length))
    return {
      ...this.#waits,
      use: {
        cpu: uses(used('cpu'), cores),
        wal: uses(used('wal'), walMegabytes * 1000),
        connections: uses(used('connection'), connections),
        relay: uses(
          clusters.map(({ relayBusy }) => relayBusy),
          relays,
        ),
        feed: uses(
          this.#feeds.map((feed) => feed.used),
          feedCores,
        ),
      },
      longest: this.#longest,
      left: {
        requests: longestOf(clusters.map(({ queue }) => queue)),
        events: longestOf(clusters.map(({ outbox }) => outbox)),
        pages: longestOf(this.#feeds.map(({ queue }) => queue)),
      },
      meanLength: this.#lengths / this.steps,
      arrivals: this.#arrivals / seconds,
      unseen: this.#unseen,
      drained: this.#drained,
      largest: this.#largest * creations,
      batch: this.#batches / this.steps / clusters.length,
    }
  }
}

/** The limit of the largest agent on any machine, as creations per second of all agents together. */
export function limitsOfOneAgent(exponent: number): [what: string, rate: number][] {
  const share = zipf(DEFAULTS.agents, exponent)[0]!
  return [
    ['wallet of the largest agent', (1000 * COSTS.create.sizeMax) / fullBatchMs / share],
    ['event counter of the largest agent', 1000 / (EVENTS_PER_TASK * COSTS.relay.serial) / share],
  ]
}
