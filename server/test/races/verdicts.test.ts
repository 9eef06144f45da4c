/**
 * Many concurrent operations on one task, on two API processes with one database and timers running: one decision, one
 * payment, no slot taken twice. `npm run test:races` runs 300 rounds of verdicts or RACE_ROUNDS; `npm test` runs 90.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { issueKey } from '../../src/agents/keys.ts'
import { openDb } from '../../src/kit/db.ts'
import { autoApprove } from '../../src/tasks/auto-approve.ts'
import { expireTasks } from '../../src/tasks/expire.ts'
import { timeOutAssignments } from '../../src/tasks/time-out.ts'
import { record } from '../figures.ts'
import { call, freshDatabase, marketplace, type Reply } from '../harness.ts'
import { brokenRules, readState, type State } from '../interleavings/checks.ts'
import * as naive from '../interleavings/naive.ts'
import {
  EARNED_CENTS,
  makeScenes,
  type Recipe,
  type Scene,
  type SceneName,
} from '../interleavings/scenes.ts'
import type { Player } from '../interleavings/stage.ts'
import { type ApiProcess, startApi } from './processes.ts'

const VERDICT_ROUNDS = Number(process.env.RACE_ROUNDS ?? 90)
const VERDICTS = 16
const ACCEPT_ROUNDS = 6
const WORKERS = 64
const PAIR_ROUNDS = Math.ceil(VERDICT_ROUNDS / 3)
const NAIVE_ROUNDS = 20
/** Concurrent rounds, each on its own task. */
const AT_ONCE = 8
const HOUR = 3_600_000
const CLOCK_LATEST_MS = 100
/** Without a head start for one of them, the slower of two rivals would never win. */
const HEAD_START_MS = 30
const TIMEOUT_MS = 300_000

const market = await marketplace({ clock: 'real' })
const owner = new pg.Pool({ connectionString: market.url, max: AT_ONCE })
let apis: ApiProcess[] = []

describe('many concurrent requests on one task, over two processes', {
  timeout: TIMEOUT_MS,
}, () => {
  before(async () => {
    await owner.query('create index on outbox (agent_id)')
    apis = await Promise.all([startApi(market), startApi(market)])
  })
  after(async () => {
    for (const api of apis) await api.stop()
    await owner.end()
  })

  test(`${VERDICTS} approvals, ${VERDICTS} disputes and the timer: one of them wins, and is paid once`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const rounds = await newRounds('proved', VERDICT_ROUNDS, { due: new Date(Date.now() - HOUR) })

    const won = { agent: 0, auto: 0, disputed: 0 }
    await inTurns(rounds, async (round, n) => {
      const approvals = Array.from({ length: VERDICTS }, () => 'approve')
      const disputes = Array.from({ length: VERDICTS }, () => 'dispute')
      // Approvals, disputes, or a random mix start first, in turn; the timer runs whenever it runs.
      const orders = [
        [...approvals, ...disputes],
        [...disputes, ...approvals],
        shuffled([...approvals, ...disputes]),
      ]
      const kinds = [...orders[n % orders.length]!, 'clock']
      const replies: { kind: string; reply: Reply }[] = []
      await Promise.all(
        kinds.map(async (kind, i) => {
          if (kind === 'clock') {
            await sleep(Math.random() * CLOCK_LATEST_MS)
            await autoApprove.move(market.background, [{ id: round.taskId }])
          } else {
            if (i >= VERDICTS && n % orders.length < 2) await sleep(Math.random() * HEAD_START_MS)
            const body = kind === 'dispute' ? { reason: 'No' } : {}
            replies.push({
              kind,
              reply: await round.agent(i, `/tasks/${round.taskId}/${kind}`, body),
            })
          }
        }),
      )

      const answers = (kind: string) =>
        replies.filter((one) => one.kind === kind).map(({ reply }) => reply)
      const winner = assertOneWinner(answers('approve'), answers('dispute'))
      const state = await stateOf(round, 1)
      assert.equal(state.task.status, winner)
      assert.equal(state.trust.length, 1, 'trust has changed once')
      const { payable_cents } = state.workers.find(({ id }) => id === round.proved[0])!
      assert.equal(payable_cents, EARNED_CENTS + (winner === 'completed' ? 2050 : 0))
      won[(state.task.approved_by ?? 'disputed') as keyof typeof won] += 1
    })

    assert.deepEqual(await market.audit(), [])
    record('races', [
      { figure: 'rounds of 32 verdicts and the clock', value: VERDICT_ROUNDS },
      { figure: 'rounds with two decisions', value: 0, max: 0 },
    ])
    console.log(
      `${VERDICT_ROUNDS} rounds of ${VERDICTS} approvals, ${VERDICTS} disputes and the clock: ` +
        `approved ${won.agent}, by the clock ${won.auto}, disputed ${won.disputed}`,
    )
  })

  test(`${WORKERS} workers accept a task with 1 to 5 slots: each slot is filled once, the others get 409 no_slot`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    for (const slots of [1, 2, 3, 4, 5]) {
      const rounds = await newRounds({ slots, proved: 0, holding: 0, free: WORKERS }, ACCEPT_ROUNDS)

      for (const round of rounds) {
        const replies = await Promise.all(
          round.free.map((id, i) => round.worker(id, i, `/worker/tasks/${round.taskId}/accept`)),
        )

        assertSlotsTaken(replies, slots)
        const { task, assignments, open } = await stateOf(round, slots)
        assert.equal(task.slots_taken, slots)
        assert.equal(assignments.length, slots)
        assert.deepEqual(open, [])
      }
    }
    console.log(
      `${WORKERS} accepts on 1 to 5 slots: ${ACCEPT_ROUNDS} rounds each, all slots taken once`,
    )
  })

  test('8 accepts of one worker on a task with 3 slots: one slot, 8 equal responses', async () => {
    const rounds = await newRounds({ slots: 3, proved: 0, holding: 0, free: 1 }, PAIR_ROUNDS)

    await inTurns(rounds, async (round) => {
      const replies = await eight((i) =>
        round.worker(round.free[0]!, i, `/worker/tasks/${round.taskId}/accept`),
      )

      assert.deepEqual(statuses(replies), [200])
      assert.equal(new Set(replies.map(({ body }) => body.assignment.id as string)).size, 1)
      const { task, assignments } = await stateOf(round, 1)
      assert.deepEqual([task.slots_taken, assignments.length], [1, 1])
    })
  })

  test('8 proofs of one worker: one counts, the others are 409', async () => {
    const rounds = await newRounds('held', PAIR_ROUNDS)

    await inTurns(rounds, async (round) => {
      const replies = await eight((i) => round.prove(round.holding[0]!, i))

      assert.equal(replies.filter(({ status }) => status === 201).length, 1)
      for (const { status, body } of replies)
        if (status !== 201) assert.deepEqual([status, body.code], [409, 'assignment_ended'])
      const { task, proofs } = await stateOf(round, 1)
      assert.deepEqual([task.status, task.proofs_received], ['proof_submitted', 1])
      assert.equal(proofs.length, 1)
    })
  })

  test('5 workers submit proof concurrently: all proofs are stored, and consensus is reached once', async () => {
    const rounds = await newRounds({ slots: 5, proved: 0, holding: 5, free: 0 }, PAIR_ROUNDS)

    await inTurns(rounds, async (round) => {
      const replies = await Promise.all(round.holding.map((id, i) => round.prove(id, i)))

      assert.deepEqual(statuses(replies), [201])
      const { task, proofs, events } = await stateOf(round, 5)
      assert.deepEqual([task.status, task.proofs_received], ['proof_submitted', 5])
      assert.equal(proofs.length, 5)
      const last = replies.filter(({ body }) => body.task.status === 'proof_submitted')
      assert.equal(last.length, 1, 'one of them was the last')
      assert.equal(events.filter(({ type }) => type === 'task.consensus_proof').length, 5)
    })
  })

  /** Two concurrent operations on one task: which two, in which scene, and every allowed end state. */
  const PAIRS: [name: string, SceneName, run: Rival, against: Rival, ends: string[]][] = [
    [
      'a release against a proof',
      'held',
      (round, i) => round.worker(round.holding[0]!, i, `/worker/tasks/${round.taskId}/release`, {}),
      (round, i) => round.prove(round.holding[0]!, i + 1),
      ['200 and 409 pending', '409 and 201 proof_submitted'],
    ],
    [
      'the timeout against a proof, which may come late',
      'held',
      clock((tx, { assignments: ids, due }) => timeOutAssignments(tx, { ids, now: due })),
      (round, i) => round.prove(round.holding[0]!, i + 1),
      ['1 and 201 proof_submitted', '0 and 201 proof_submitted'],
    ],
    [
      'a cancellation against an acceptance',
      'open',
      (round, i) => round.agent(i, `/tasks/${round.taskId}/cancel`),
      (round, i) => round.worker(round.free[0]!, i + 1, `/worker/tasks/${round.taskId}/accept`),
      ['200 and 409 cancelled', '200 and 200 cancelled'],
    ],
    [
      'a cancellation against a proof',
      'held',
      (round, i) => round.agent(i, `/tasks/${round.taskId}/cancel`),
      (round, i) => round.prove(round.holding[0]!, i + 1),
      ['200 and 409 cancelled', '409 and 201 proof_submitted'],
    ],
    [
      'the deadline against a proof',
      'held',
      clock(expireAt),
      (round, i) => round.prove(round.holding[0]!, i + 1),
      ['1 and 409 expired', '0 and 201 proof_submitted'],
    ],
    [
      'the deadline, which starts the review, against an approval',
      'last held',
      clock(expireAt),
      (round, i) => round.agent(i + 1, `/tasks/${round.taskId}/approve`),
      ['1 and 409 proof_submitted', '1 and 200 completed'],
    ],
    [
      'a request for revision against an approval',
      'proved',
      (round, i) => round.agent(i, `/tasks/${round.taskId}/request-revision`, { note: 'Again' }),
      (round, i) => round.agent(i + 1, `/tasks/${round.taskId}/approve`),
      ['200 and 409 in_progress', '409 and 200 completed'],
    ],
  ]

  for (const [name, scene, run, against, allowed] of PAIRS)
    test(`${name}: one of the allowed outcomes`, async () => {
      const rounds = await newRounds(scene, PAIR_ROUNDS)

      const seen = new Map<string, number>()
      await inTurns(rounds, async (round, i) => {
        const [first, second] = await Promise.all(
          [run, against].map(async (rival) => {
            await sleep(Math.random() * HEAD_START_MS)
            const answer = await rival(round, i)
            return typeof answer === 'number' ? answer : answer.status
          }),
        )
        const { task } = await stateOf(round, 2)
        const end = `${first} and ${second} ${task.status}`
        assert(allowed.includes(end), end)
        seen.set(end, (seen.get(end) ?? 0) + 1)
      })

      assert.deepEqual(await market.audit(), [])
      console.log(`${name}: ${[...seen].map(([end, count]) => `${count} × ${end}`).join(', ')}`)
    })
})

describe('control: without our guards', { timeout: TIMEOUT_MS }, () => {
  let url: string
  before(async () => {
    url = await freshDatabase()
  })

  test('verdicts that read the status first: an approval and a dispute win', async () => {
    const players = Array.from(
      { length: 2 * VERDICTS },
      (_, i) => [naive.approve, naive.dispute][i % 2]!,
    )

    const rounds = await raceNaively('proved', players)

    const wrong = rounds.filter(({ told, broken }) => {
      const won = (turn: number) => told.some(({ status }, i) => i % 2 === turn && status === 200)
      return won(0) && won(1) && broken.includes('settled 2 times')
    })
    assert(wrong.length > 0, 'the race found no fault')
    console.log(`verdicts that read first: ${wrong.length} of ${rounds.length} rounds pay twice`)
  })

  test('acceptances that count the workers first: too many get a slot', async () => {
    const slots = 3
    const players = Array.from({ length: WORKERS }, (_, nth) => naive.accept(nth))

    const rounds = await raceNaively({ slots, proved: 0, holding: 0, free: WORKERS }, players)

    const wrong = rounds.filter(({ told, broken }) => {
      const { length } = told.filter(({ status }) => status === 200)
      return length > slots && broken.includes(`${length} workers in ${slots} slots`)
    })
    assert(wrong.length > 0, 'the race found no fault')
    console.log(
      `acceptances that count first: ${wrong.length} of ${rounds.length} rounds overshoot`,
    )
  })

  /** Runs rounds of all players at once: what each was told, and which rules are broken in the end. */
  async function raceNaively(recipe: SceneName | Recipe, players: Player[]) {
    const db = openDb(url, { connectionsMax: 32, onError: assert.ifError })
    const pool = new pg.Pool({ connectionString: url, max: 1 })
    try {
      await naive.allowAll(pool)
      // All connections are open before the race begins; otherwise the first ones would run alone.
      await Promise.all(Array.from({ length: 32 }, () => db.pool.query('select pg_sleep(0.05)')))
      const rounds = []
      for (const scene of await makeScenes(db, recipe, NAIVE_ROUNDS)) {
        const told = await Promise.all(players.map((player) => player.run(db, scene)))
        const state = await readState(pool, scene)
        rounds.push({ told, broken: brokenRules(scene, state, told) })
      }
      return rounds
    } finally {
      await db.close()
      await pool.end()
    }
  }
})

type Answered = Pick<Reply, 'status' | 'body' | 'text'>

/** Callers who wanted the actual outcome all get the same success response; all others are told that it is too late. */
function assertOneWinner(approvals: Answered[], disputes: Answered[]): 'completed' | 'disputed' {
  const isApproved = approvals.some(({ status }) => status === 200)
  const [winners, losers] = isApproved ? [approvals, disputes] : [disputes, approvals]
  const status = isApproved ? 'completed' : 'disputed'
  for (const reply of winners)
    assert.deepEqual([reply.status, reply.body.task?.status], [200, status])
  for (const reply of winners) assert.deepEqual(reply.body, winners[0]!.body)
  for (const reply of losers)
    assert.deepEqual(
      [reply.status, reply.body.code, reply.body.status],
      [409, 'invalid_state', status],
    )
  return status
}

function assertSlotsTaken(replies: Answered[], slots: number): void {
  assert.equal(replies.filter(({ status }) => status === 200).length, slots)
  for (const { status, body } of replies)
    if (status !== 200) assert.deepEqual([status, body.code], [409, 'no_slot'])
}

type Round = Awaited<ReturnType<typeof newRounds>>[number]
type Rival = (round: Round, i: number) => Promise<Reply | number>
type Work = Parameters<typeof market.db.transaction<number>>[0]

/** Scenes with the credentials to make calls: a key for the agent, a token for each worker. */
async function newRounds(
  recipe: SceneName | Recipe,
  count: number,
  { due = new Date(Date.now() + HOUR) } = {},
) {
  const now = market.now()
  const scenes = await makeScenes(market.db, recipe, count, { due })
  const keys = await market.db.transaction(async (tx) => {
    const made: string[] = []
    for (const { agentId } of scenes)
      made.push((await issueKey(tx, { agentId, mode: 'live', name: 'key', now })).key)
    return made
  })
  return Promise.all(
    scenes.map(async (scene, n) => {
      const signed = await Promise.all(
        scene.workers.map((workerId) => market.tokens.sign({ workerId, version: 1 }, now)),
      )
      const tokens = new Map(scene.workers.map((id, i) => [id, signed[i]!.token]))
      const post = (i: number, bearer: string, path: string, body?: unknown) =>
        call(apis[i % apis.length]!.base, 'POST', path, {
          body,
          headers: { authorization: `Bearer ${bearer}` },
        })
      const worker = (id: string, i: number, path: string, body?: unknown) =>
        post(i, tokens.get(id)!, path, body)
      return {
        ...scene,
        agent: (i: number, path: string, body?: unknown) => post(i, keys[n]!, path, body),
        worker,
        prove: (id: string, i: number) =>
          worker(id, i, `/worker/tasks/${scene.taskId}/proof`, { text: 'Done' }),
      }
    }),
  )
}

/** Reads the state from the database and asserts every rule on it. */
async function stateOf(scene: Scene, moves: number): Promise<State> {
  const state = await readState(owner, scene)
  const told = Array.from({ length: moves }, () => ({ status: 200 }))
  assert.deepEqual(brokenRules(scene, state, told), [])
  return state
}

function expireAt(tx: Parameters<Work>[0], { taskId, due }: Scene): Promise<number> {
  return expireTasks(tx, { taskIds: [taskId], config: market.server.config, now: due })
}

function clock(move: (tx: Parameters<Work>[0], scene: Scene) => Promise<number>): Rival {
  return (round) => market.db.transaction((tx) => move(tx, round))
}

/** Runs a limited number of rounds at a time; the next starts as soon as one is done. */
async function inTurns(rounds: Round[], play: (round: Round, i: number) => Promise<void>) {
  const left = rounds.entries()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [i, round] of left) await play(round, i)
    }),
  )
}

const eight = <T>(work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 8 }, (_, i) => work(i)))

const statuses = (replies: Reply[]) => [...new Set(replies.map(({ status }) => status))]

const shuffled = <T>(items: T[]) =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
