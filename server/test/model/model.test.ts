import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { record } from '../figures.ts'
import { type Marketplace, marketplace } from '../harness.ts'
import { compareAll, type History, histories } from './commands.ts'
import { Market, type Rules } from './model.ts'
import { type Counts, Difference, Play } from './play.ts'

/** The default for every run; `npm run test:model` runs 200. */
const RUNS = Number(process.env.MODEL_RUNS ?? 30)
const seed = Number(process.env.MODEL_SEED ?? 20_250_115)
const LENGTH = 60
/** Past approvals of the workers in each run: none, just below a level, and at two other levels. */
const APPROVALS = [0, 4, 25, 100]
const BALANCE_CENTS = 30_000
const AUDITED_EACH = 100
/** Time limit for shrinking a counterexample. */
const SHORTENING_MS = 60_000

interface Lane {
  market: Marketplace
  rules: Rules
}

/** One clock each. In the second, operator review of disputes starts early enough to occur in short histories. */
const lanes = await Promise.all([
  openLane({ disputesTouchingTrust: 3, disputesBeforeReview: 5 }),
  openLane({ disputesTouchingTrust: 1, disputesBeforeReview: 1 }),
])

async function openLane(rules: Rules): Promise<Lane> {
  const market = await marketplace({
    settings: {
      DISPUTES_TOUCHING_TRUST: rules.disputesTouchingTrust,
      DISPUTES_BEFORE_REVIEW: rules.disputesBeforeReview,
    },
  })
  return { market, rules }
}

interface Found {
  failed: boolean
  runs: number
  commands: number
  /** The number of commands in the shortest counterexample. */
  length: number
  report: string
  cause: unknown
}

/** Runs a number of histories on one lane; the first that differs is shrunk as far as possible. */
async function compareRuns(
  { market, rules }: Lane,
  {
    Model = Market,
    runs,
    laneSeed,
    shorteningMs = SHORTENING_MS,
    counts = new Map(),
  }: {
    Model?: typeof Market
    runs: number
    laneSeed: number
    shorteningMs?: number
    counts?: Counts
  },
): Promise<Found> {
  let commands = 0
  let played = 0
  let length = 0
  let brokenAt: number | undefined
  const property = fc.asyncProperty(histories(LENGTH), async (history: History) => {
    const isBroken = brokenAt !== undefined
    if (isBroken && performance.now() - brokenAt! > shorteningMs) return
    const model = new Model(market.now().getTime(), rules)
    const play = new Play(market, isBroken ? new Map() : counts)
    try {
      await play.open(model, { approvals: APPROVALS, balanceCents: BALANCE_CENTS })
      await fc.asyncModelRun(() => ({ model, real: play }), history.commands)
      await compareAll(model, play)
      if (isBroken) return
      // An audit reads everything in the database, so in a long run not every history gets one.
      const isAudited = played < AUDITED_EACH || played % 25 === 0
      const breaks = isAudited ? await market.audit() : []
      if (breaks.length > 0) throw new Difference(`the ledger: ${JSON.stringify(breaks)}`)
      commands += play.ran.length
      played += 1
      if (played % 25 === 0) console.log(`… ${played} histories`)
    } catch (error) {
      if (!isBroken) console.log(`differs; looking for a shorter history\n${String(error)}`)
      brokenAt ??= performance.now()
      history.ran = play.ran
      length = play.ran.length
      throw error
    }
  })
  const found = await fc.check(property, { seed: laneSeed, numRuns: runs })
  return {
    failed: found.failed,
    runs: found.numRuns,
    commands,
    length,
    report: fc.defaultReportMessage(found) ?? '',
    cause: found.errorInstance,
  }
}

/** Minimum counts of what must happen in 200 histories; with less, the comparison would prove little. */
const FLOORS: Record<string, number> = {
  'accept 200': 1000,
  'accept 200 again': 100,
  'accept 403 level_too_low': 50,
  'accept 404 task_not_found': 3,
  'accept 409 no_slot': 50,
  'accept 409 retake_too_soon': 5,
  'advance step by step': 150,
  'advance then sweep': 150,
  'advance unswept': 150,
  'approve 200': 30,
  'approve 200 override': 20,
  'approve 200 override tip': 20,
  'approve 200 tip': 20,
  'approve 400 invalid_request': 20,
  'approve 402 insufficient_funds': 15,
  'approve 404 task_not_found': 30,
  'approve 409 consensus_conflict': 15,
  'approve 409 invalid_state': 30,
  'cancel 200 cancelled': 20,
  'cancel 200 in_progress': 40,
  'cancel 200 pending': 20,
  'cancel 404 task_not_found': 15,
  'cancel 409 invalid_state': 10,
  'clock: assignment expired': 100,
  'clock: assignment submitted': 5,
  'clock: in_progress to expired': 25,
  'clock: in_progress to pending': 50,
  'clock: in_progress to proof_submitted': 5,
  'clock: pending to expired': 40,
  'clock: proof_submitted to completed': 30,
  'clock: proof_submitted to completed in conflict': 10,
  'create 201 free': 400,
  'create 201 wallet': 200,
  'create 400 invalid_request': 150,
  'create 402 insufficient_funds': 50,
  'dispute 200 held': 6,
  'dispute 200 in part': 30,
  'dispute 200 whole': 50,
  'dispute 400 invalid_request': 50,
  'dispute 404 task_not_found': 25,
  'dispute 409 invalid_state': 30,
  'disputeAgain 200 repeated': 20,
  'disputeAgain 200 whole': 1,
  'disputeAgain 409 invalid_state': 20,
  'endHeld rejected': 1,
  'endHeld upheld': 1,
  'endHeld withdraw 200': 1,
  'fund done': 100,
  'read earnings': 50,
  'read list': 50,
  'read part': 50,
  'read stats': 50,
  'read task': 50,
  'read trust': 50,
  'read wallet': 50,
  'register done': 50,
  'release 200': 40,
  'release 200 late': 8,
  'release 200 of a revision': 4,
  'release 200 unsafe': 20,
  'release 404 assignment_not_found': 40,
  'release 409 assignment_ended': 10,
  'repeat 200': 50,
  'repeat 201': 80,
  'repeat 402': 3,
  'repeat 403': 1,
  'repeat 404': 8,
  'repeat 409': 10,
  'repeat 422': 150,
  'requestRevision 200': 50,
  'requestRevision 400 invalid_request': 3,
  'requestRevision 404 task_not_found': 15,
  'requestRevision 409 invalid_state': 25,
  'requestRevision 409 revision_used': 5,
  'submit 201 done': 500,
  'submit 201 done late': 25,
  'submit 201 done revised': 25,
  'submit 201 not_possible': 80,
  'submit 400 invalid_request': 100,
  'submit 404 assignment_not_found': 100,
  'submit 409 assignment_ended': 20,
  'submit 409 no_slot': 10,
}

/** Models with one bug each. */
const MUTANTS: Record<string, typeof Market> = {
  'the commission is rounded half up': class extends Market {
    override commission(gross: number) {
      return Math.round(gross * 0.18)
    }
  },
  'a task that is handed back stays in progress': class extends Market {
    override afterGivingUp() {}
  },
  'a repeated dispute gives the money back twice': class extends Market {
    override repeatDispute(...[task, earlier]: Parameters<Market['repeatDispute']>) {
      this.giveBack(task, earlier.refunded)
      return super.repeatDispute(task, earlier)
    }
  },
  'odd cents go to the last worker': class extends Market {
    override split(cents: number, weights: number[]) {
      return super.split(cents, weights.toReversed()).toReversed()
    }
  },
  'a late proof is not forgiven': class extends Market {
    override forgive() {}
  },
}
const SHORT = 15

/**
 * Scales a floor to the number of histories. Below 200 histories it allows three standard deviations less, but requires
 * at least one where the scaled floor is above 7.
 */
function floorOf(least: number): number {
  const share = (least * RUNS) / 200
  if (RUNS >= 200) return share
  return Math.max(share - 3 * Math.sqrt(share), share > 7 ? 1 : 0)
}

describe('the marketplace against a model of it', () => {
  const counts: Counts = new Map()

  test(`responds and stores the same in ${RUNS} histories of ${LENGTH} commands`, {
    timeout: 600_000 + RUNS * 3000,
  }, async () => {
    console.log(`MODEL_SEED=${seed}`)
    const startedAt = performance.now()
    const found = await Promise.all(
      lanes.map((lane, i) =>
        compareRuns(lane, { runs: Math.ceil(RUNS / lanes.length), laneSeed: seed + i, counts }),
      ),
    )

    for (const { failed, report, cause } of found)
      if (failed) throw new Error(`${report}\nMODEL_SEED=${seed}`, { cause })
    const sum = (of: 'runs' | 'commands') => found.reduce((total, one) => total + one[of], 0)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(
      `${sum('commands')} commands in ${sum('runs')} histories, ${seconds} s, differences 0\n` +
        [...counts]
          .sort(([a], [b]) => a.localeCompare(b))
          .map(([what, times]) => `  ${String(times).padStart(5)}  ${what}`)
          .join('\n'),
    )
    record('model', [
      { figure: 'histories', value: sum('runs') },
      { figure: 'commands', value: sum('commands') },
      { figure: 'differences from the model', value: 0, max: 0 },
    ])
    assert(sum('commands') >= RUNS * LENGTH)
  })

  test('covers every command and outcome often enough', () => {
    const rare = Object.entries(FLOORS)
      .map(([what, least]) => ({ what, times: counts.get(what) ?? 0, least }))
      .filter(({ times, least }) => times < floorOf(least))

    assert.deepEqual(rare, [])
  })

  for (const [what, Model] of Object.entries(MUTANTS))
    test(`control: differs if ${what}`, { timeout: 300_000 }, async () => {
      const [lane] = lanes
      const { failed, length, runs, cause } = await compareRuns(lane!, {
        Model,
        runs: 200,
        laneSeed: seed,
        shorteningMs: 45_000,
      })

      assert(failed, 'not found')
      assert(cause instanceof Difference)
      console.log(`found in history ${runs}, shown by ${length} commands: ${cause.message}`)
      assert(length <= SHORT, `${length} commands`)
    })
})
