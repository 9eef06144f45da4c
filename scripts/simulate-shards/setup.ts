/** The simulated market. docs/capacity.md gives the reasons for the defaults. */
export interface Setup {
  seed: number
  seconds: number
  clusters: number
  cores: number
  /** Megabytes of WAL that a cluster can write per second. */
  walMegabytes: number
  /** Transactions that a cluster runs at once. */
  connections: number
  relays: number
  feedClusters: number
  feedCores: number
  agents: number
  /** How unequal the agents are. */
  exponent: number
  creations: number
  /** Feed pages per second. */
  pages: number
  /** How often an agent reads a task. */
  readsPerTask: number
  /** API processes: each one has a batch of its own for each schema. */
  processes: number
  schemasPerCluster: number
  /** Whether schemas have been moved so that clusters are as equal as they can be. */
  isBalanced: boolean
  /** A cluster that is gone for a while. */
  lost?: { cluster: number; from: number; until: number }
  /** A schema without writes for a while, which then lives in another cluster. */
  move?: { from: number; until: number; source: number; target: number }
}

export const DEFAULTS: Setup = {
  seed: 1,
  seconds: 20,
  clusters: 16,
  cores: 32,
  walMegabytes: 80,
  connections: 200,
  relays: 1,
  feedClusters: 16,
  feedCores: 8,
  agents: 100_000,
  exponent: 0.8,
  creations: 10_000,
  pages: 33_333,
  readsPerTask: 5,
  processes: 128,
  schemasPerCluster: 4,
  isBalanced: false,
}
