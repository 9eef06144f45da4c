/**
 * What each step of a task costs PostgreSQL, measured by `npm run bench:operations`: the cheapest of three runs on a
 * busy machine. docs/capacity.md has the table, and says what the other runs change.
 */
export interface Cost {
  /** Milliseconds of CPU time. */
  cpu: number
  /** Bytes of WAL. */
  wal: number
}

/** A batch costs `fixed`, and `each` for every item. */
export interface BatchCost {
  fixed: Cost
  each: Cost
  sizeMax: number
}

/** A step alone, and each of `size` that shared a batch. */
function batchOf(alone: Cost, shared: Cost & { size: number }, sizeMax: number): BatchCost {
  const fixed = (a: number, b: number) => Math.max(0, (a - b) / (1 - 1 / shared.size))
  const [cpu, wal] = [fixed(alone.cpu, shared.cpu), fixed(alone.wal, shared.wal)]
  return { fixed: { cpu, wal }, each: { cpu: alone.cpu - cpu, wal: alone.wal - wal }, sizeMax }
}

export const COSTS = {
  create: batchOf({ cpu: 1.559, wal: 3675 }, { cpu: 0.169, wal: 3449, size: 33 }, 128),
  /** The agent's part; it is also the whole step of a worker in the same cluster. */
  accept: { cpu: 4.983, wal: 5584 },
  prove: { cpu: 6.395, wal: 6650 },
  approve: batchOf({ cpu: 3.217, wal: 8248 }, { cpu: 0.804, wal: 8016, size: 11 }, 64),
  /** The worker's part, in another cluster: what a crossing costs more than the same step without one. */
  acceptFar: { cpu: 2.579, wal: 3212 },
  proveFar: { cpu: 0.659, wal: 3017 },
  approveFar: batchOf({ cpu: 3.364, wal: 4469 }, { cpu: 1.759, wal: 4346, size: 16 }, 64),
  /** An agent reads a task. */
  read: { cpu: 1.253, wal: 0 },
  /** The worker's part of a feed page: session, profile, tasks to hide. Not measured alone; as much as `read`. */
  seek: { cpu: 1.253, wal: 0 },
  /** The feed's part: the rest of a page. */
  page: { cpu: 1.474, wal: 0 },
  /** The feed's part of a new task: what its event costs more than others. */
  project: { cpu: 0.24, wal: 797 },
  /** An event. `serial`: milliseconds of its one relay, from 15,000 events and 3,300 new tasks per second. */
  relay: { cpu: 0.306, wal: 2619, serial: 0.125 },
  /** A webhook, by `npm run bench:webhooks`. */
  deliver: { cpu: 0.058, wal: 700 },
} satisfies Record<string, (Cost & { serial?: number }) | BatchCost>

/** The cost of one item in a batch of this size. */
export const inBatch = ({ fixed, each }: BatchCost, size: number): Cost => ({
  cpu: fixed.cpu / size + each.cpu,
  wal: fixed.wal / size + each.wal,
})

/** The cost of a task from its creation to its payment, without reads. `crossing`: the share of workers elsewhere. */
export function costOfTask(crossing: number): Cost {
  const { create, accept, prove, approve, acceptFar, proveFar, approveFar } = COSTS
  const { relay, deliver, project } = COSTS
  const sum = (key: keyof Cost) =>
    inBatch(create, 1)[key] +
    accept[key] +
    prove[key] +
    inBatch(approve, 1)[key] +
    crossing * (acceptFar[key] + proveFar[key] + inBatch(approveFar, 1)[key]) +
    EVENTS_PER_TASK * (relay[key] + deliver[key]) +
    project[key]
  return { cpu: sum('cpu'), wal: sum('wal') }
}

/** Created, accepted, proven, approved. */
export const EVENTS_PER_TASK = 4
