/**
 * The stages of a night. Each one runs an npm script at a size that a pull request can't wait for, proves some of the
 * promises of docs/reliability.md, and contains a control that must fail.
 */

/** What we promise. docs/reliability.md explains each one. */
export const PROMISES = {
  P1: 'An acknowledged write survives the failure of any process, machine or power supply.',
  P2: 'No cent is created, lost or paid twice.',
  P3: 'Each slot of a task has one decision.',
  P4: 'A request with a key takes effect at most once, and its response can be repeated for 7 days.',
  P5: 'An event is delivered at least once, signed, in 8 attempts over 28 hours, or visibly failed.',
  P6: 'Money never gets stuck: every task ends.',
  P7: 'One tenant never sees another tenant’s data.',
  P8: 'Rate limits are exact, and Retry-After is true.',
  P9: 'A failover takes less than 30 s and loses nothing; a planned one takes less than 10 s.',
  P10: 'The database can be restored to any second of the last 7 days.',
  P11: 'Version 1 of the API never breaks.',
  P12: 'A person’s data can be erased without touching the books.',
} as const

export type PromiseId = keyof typeof PROMISES

export interface Stage {
  name: string
  promises: readonly PromiseId[]
  /** What happens, for a reader of the report. */
  does: string
  /** The npm script. */
  script: string
  /** What is planted or switched off, and found. */
  control: string
  /** Minutes that it takes at any size: starting servers, controls, tests without a size. */
  fixedMinutes: number
  size?: {
    /** The environment variable that sets it. */
    env: string
    full: number
    least: number
    unit: string
    /** Minutes at the full size, in addition to `fixedMinutes`. */
    minutes: number
    /** The environment variable that limits the seconds of this part. */
    secondsEnv?: string
  }
  /** The environment variable that takes the seed. */
  seedEnv?: string
}

export const STAGES: readonly Stage[] = [
  {
    name: 'crash',
    promises: ['P1', 'P2', 'P3', 'P4'],
    does: 'Kills API processes, the jobs process and PostgreSQL with kill -9 under load.',
    script: 'test:crash',
    control: 'Clients without keys double tasks. A database that acknowledges early loses them.',
    fixedMinutes: 3,
    size: {
      env: 'CRASH_KILLS',
      full: 1500,
      least: 8,
      unit: 'kills',
      minutes: 75,
      secondsEnv: 'CRASH_SECONDS',
    },
    seedEnv: 'CRASH_SEED',
  },
  {
    name: 'powercut',
    promises: ['P1', 'P2'],
    does: 'Cuts the power of the database’s disk: everything that was not flushed is gone.',
    script: 'test:powercut',
    control: 'With synchronous_commit off, acknowledged requests are lost.',
    fixedMinutes: 2,
    size: {
      env: 'POWER_CUTS',
      full: 60,
      least: 2,
      unit: 'power cuts',
      minutes: 8,
      secondsEnv: 'POWER_CUT_SECONDS',
    },
    seedEnv: 'POWER_CUT_SEED',
  },
  {
    name: 'disk',
    promises: ['P1', 'P2'],
    does: 'Fills the disk of the database, of its write-ahead log, and of the uploaded files.',
    script: 'test:disk',
    control: 'While the disk stays full, creations are refused.',
    fixedMinutes: 4,
  },
  {
    name: 'failover',
    promises: ['P1', 'P9'],
    does: 'Kills, freezes and cuts off the primary of a cluster of three under load.',
    script: 'test:failover',
    control: 'With asynchronous replication, acknowledged requests are lost.',
    fixedMinutes: 5,
    size: {
      env: 'FAILOVER_ROUNDS',
      full: 5,
      least: 1,
      unit: 'rounds of eight faults',
      minutes: 45,
    },
    seedEnv: 'FAILOVER_SEED',
  },
  {
    name: 'restore',
    promises: ['P10'],
    does: 'Restores the database to chosen seconds from a backup and the archived log.',
    script: 'test:restore',
    control:
      'Without the declared restore, a worker is paid twice. A damaged backup fails the drill.',
    fixedMinutes: 4,
    seedEnv: 'RESTORE_SEED',
  },
  {
    name: 'rolling',
    promises: ['P9'],
    does: 'Restarts API processes behind HAProxy one after the other under load.',
    script: 'test:rolling',
    control: 'A process that closes its listener at once fails requests.',
    fixedMinutes: 2,
    size: { env: 'ROLLING_RESTARTS', full: 30, least: 1, unit: 'rolling restarts', minutes: 20 },
  },
  {
    name: 'upgrade',
    promises: ['P9', 'P11'],
    does: 'Upgrades a running system from the previous release, with both versions serving.',
    script: 'test:upgrade',
    control: 'A migration that breaks the previous release is found.',
    fixedMinutes: 10,
  },
  {
    name: 'interleavings',
    promises: ['P2', 'P3', 'P4'],
    does: 'Runs pairs of money operations in every order of their statements.',
    script: 'test:interleavings',
    control: 'Operations that read before they write pay twice in most orders.',
    fixedMinutes: 3,
    size: {
      env: 'INTERLEAVINGS_FACTOR',
      full: 4,
      least: 0.25,
      unit: '× 3,000 schedules',
      minutes: 30,
    },
    seedEnv: 'INTERLEAVINGS_SEED',
  },
  {
    name: 'races',
    promises: ['P3', 'P4'],
    does: 'Sends conflicting requests at once to two API processes.',
    script: 'test:races',
    control: 'Operations that read before they write have two winners.',
    fixedMinutes: 6,
  },
  {
    name: 'model',
    promises: ['P2', 'P3'],
    does: 'Compares random histories of 60 commands with a model of the marketplace.',
    script: 'test:model',
    control: 'Each planted defect of the model is found.',
    fixedMinutes: 3,
    size: { env: 'MODEL_RUNS', full: 10_000, least: 30, unit: 'histories', minutes: 90 },
    seedEnv: 'MODEL_SEED',
  },
  {
    name: 'ledger',
    promises: ['P2'],
    does: 'Plays random movements of money, and compares every balance with a model.',
    script: 'test:ledger',
    control: 'Each planted defect of the ledger’s SQL is found.',
    fixedMinutes: 4,
    size: { env: 'LEDGER_STEPS', full: 500_000, least: 8000, unit: 'steps', minutes: 30 },
    seedEnv: 'LEDGER_SEED',
  },
  {
    name: 'processor',
    promises: ['P2', 'P6'],
    does: 'Lets the payment processor time out, repeat itself, reorder and lie.',
    script: 'test:processor',
    control: 'A payout that forgets its running request makes two transfers, which are found.',
    fixedMinutes: 8,
    size: {
      env: 'PROCESSOR_OPERATIONS',
      full: 20_000,
      least: 600,
      unit: 'operations',
      minutes: 25,
    },
    seedEnv: 'PROCESSOR_SEED',
  },
  {
    name: 'exits',
    promises: ['P6'],
    does: 'Brings every object into every state, and lets the clock or a person end it.',
    script: 'test:exits',
    control: 'Without one of the timers something waits forever, which is found.',
    fixedMinutes: 5,
  },
  {
    name: 'webhooks',
    promises: ['P5'],
    does: 'Kills the processes that record and deliver webhooks, with bad receivers.',
    script: 'test:webhooks',
    control: 'A deliverer that deletes before it sends loses events, which is found.',
    fixedMinutes: 4,
    size: { env: 'WEBHOOK_KILLS', full: 100, least: 4, unit: 'kills', minutes: 5 },
    seedEnv: 'WEBHOOK_SEED',
  },
  {
    name: 'faults',
    promises: ['P1', 'P6', 'P8'],
    does: 'Steps the clock of a process, freezes the database, and removes Redis.',
    script: 'test:faults',
    control: 'Without the clock guard, a step approves and expires every task.',
    fixedMinutes: 4,
  },
  {
    name: 'limits',
    promises: ['P8'],
    does: 'Exhausts each rate limit, in memory and in Redis, over several processes.',
    script: 'test:limits',
    control: 'A fixed window admits twice the limit, which is found.',
    fixedMinutes: 3,
  },
  {
    name: 'matrix',
    promises: ['P7'],
    does: 'Calls every route with every kind of credential and with foreign ids.',
    script: 'test:matrix',
    control: 'A planted endpoint that ignores the owner is found.',
    fixedMinutes: 12,
  },
  {
    name: 'fuzz',
    promises: ['P7', 'P11'],
    does: 'Sends random and broken requests; every response must match the specification.',
    script: 'test:fuzz',
    control: 'Each planted defect is found.',
    fixedMinutes: 2,
    size: { env: 'FUZZ_REQUESTS', full: 100_000, least: 1500, unit: 'requests', minutes: 40 },
    seedEnv: 'FUZZ_SEED',
  },
  {
    name: 'contract',
    promises: ['P11'],
    does: 'Compares the API with its published description, and plays an ordinary client.',
    script: 'test:contract',
    control: 'A route or error that is not declared fails the test.',
    fixedMinutes: 3,
  },
  {
    name: 'erasure',
    promises: ['P12'],
    does: 'Closes accounts of workers, erases agents of test mode, and searches every column for what was erased.',
    script: 'test:erasure',
    control: 'The day before its date, the account is still active.',
    fixedMinutes: 2,
  },
]

export interface Planned {
  stage: Stage
  /** Undefined for a stage without a size. */
  count: number | undefined
  minutes: number
  env: Record<string, string>
}

/** Scales the sizes so that the night takes about this many minutes. Stages without a size always run in full. */
export function plan(
  stages: readonly Stage[],
  { minutes, seed }: { minutes?: number | undefined; seed: string },
): Planned[] {
  const fixed = sum(stages.map(({ fixedMinutes }) => fixedMinutes))
  const sized = sum(stages.map(({ size }) => size?.minutes ?? 0))
  const scale =
    minutes === undefined || sized === 0 ? 1 : Math.min(1, Math.max(0, (minutes - fixed) / sized))
  return stages.map((stage) => {
    const { size, seedEnv, fixedMinutes } = stage
    const seeds = seedEnv === undefined ? {} : { [seedEnv]: seed }
    if (size === undefined) return { stage, count: undefined, minutes: fixedMinutes, env: seeds }
    const count = Math.max(
      size.least,
      size.least < 1 ? size.full * scale : Math.round(size.full * scale),
    )
    const sizedMinutes = (size.minutes * count) / size.full
    return {
      stage,
      count,
      minutes: fixedMinutes + sizedMinutes,
      env: {
        ...seeds,
        [size.env]: String(count),
        ...(size.secondsEnv && { [size.secondsEnv]: String(Math.ceil(sizedMinutes * 60 * 1.5)) }),
      },
    }
  })
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
