import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { histories, play, playOverload } from '../../test/webhooks/lane-histories.ts'
import type { Counts } from '../../test/webhooks/lane-world.ts'
import * as lane from './lane.ts'
import {
  beginLane,
  hostOfLane,
  type LaneAction,
  type LaneEvent,
  type LaneState,
  type Now,
  PAGE,
  pageOf,
  stepLane,
  toQueued,
} from './lane.ts'
import type { ClaimedLane, DueDelivery } from './lanes.ts'

/** `LANE_HISTORIES=20000` for a nightly run. */
const HISTORIES = Number(process.env.LANE_HISTORIES ?? 100)
const SEED = Number(process.env.LANE_SEED ?? 1)
const HOST = 'agent.example'
const URL_THERE = `https://${HOST}/hooks`

const now: Now = {
  date: new Date('2026-01-01T00:00:00Z'),
  ms: 1000,
  lanes: 1,
  isFull: false,
  isStopping: false,
}
const later = (ms: number): Now => ({
  ...now,
  date: new Date(now.date.getTime() + ms),
  ms: now.ms + ms,
})

describe('random histories', () => {
  test('of crashes, lost leases, failing receivers and an unavailable database break no promise', (t) => {
    const total: Partial<Counts> = {}
    const property = fc.property(histories, (history) => {
      const { violation, counts } = play(lane, history)
      for (const [name, count] of Object.entries(counts) as [keyof Counts, number][])
        total[name] = (total[name] ?? 0) + count
      assert.equal(violation, undefined)
    })

    fc.assert(property, { numRuns: HISTORIES, seed: SEED })

    t.diagnostic(JSON.stringify(total))
    assert(Object.values(total).every((count) => count > 0))
  })

  test('give the same step for the same state, event and time', () => {
    const stepTwice = (...given: Parameters<typeof stepLane>) => {
      const step = stepLane(...given)
      assert.deepEqual(stepLane(...given), step)
      return step
    }

    fc.assert(
      fc.property(histories, (history) => {
        assert.equal(play({ ...lane, stepLane: stepTwice }, history).violation, undefined)
      }),
      { numRuns: 5, seed: SEED },
    )
  })

  test('with slow recording keep a bounded number of deliveries in memory', () => {
    assert.equal(playOverload(lane), undefined)
  })
})

describe('a claimed lane', () => {
  test('is read, and its deliveries are started until the limit or the last turn', () => {
    const { state, actions } = stepLane(begin(), { type: 'surroundings_changed' }, now)
    const read = run(state, pageOfRows(6))

    assert.deepEqual(actions, [{ type: 'read' }])
    assert.deepEqual(read.actions, [{ type: 'take_turn', host: HOST }])
    assert.deepEqual(namesOf(takeTurns(read.state, 2, 'turn_refused').actions), ['send', 'send'])
    const full = takeTurns(read.state, 4)
    assert.deepEqual(namesOf(full.actions), ['send', 'send', 'send', 'send'])
    assert.equal(full.state.queue.length, 2)
  })

  test('of a crowded host is released until the host has had time', () => {
    const { actions } = stepLane(begin({}, 700), { type: 'surroundings_changed' }, now)

    assert.deepEqual(actions, [{ type: 'release', must: true, not_before: later(700).date }])
  })

  test('that is empty is released, unless more is due', () => {
    const empty = run(begin(), pageOfRows(0))
    const staying = run(empty.state, { type: 'released', stays: true })
    const gone = run(empty.state, { type: 'released', stays: false })

    assert.deepEqual(empty.actions, [{ type: 'release', must: false }])
    assert.deepEqual(staying.actions, [{ type: 'read' }])
    assert.deepEqual(gone.actions, [{ type: 'forget' }])
  })
})

describe('a turn', () => {
  test('that comes after the lease has ended is given back', () => {
    const { state } = run(begin(), pageOfRows(1))
    const late = stepLane(state, { type: 'turn_taken', host: HOST }, later(2000))

    assert.deepEqual(late.actions, [{ type: 'give_back_turn', host: HOST }])
    assert.deepEqual(late.state, state)
  })

  test('at another host than that of the next delivery is given back', () => {
    const { state } = run(begin(), pageOfRows(1))

    const { actions } = run(state, { type: 'turn_taken', host: 'other.example' })

    assert.deepEqual(actions, [{ type: 'give_back_turn', host: 'other.example' }])
  })
})

describe('a lane with a request in flight', () => {
  const { state } = takeTurns(run(begin(), pageOfRows(1)).state, 1)

  test('is read again after half a second', () => {
    const soon = stepLane(state, { type: 'time_passed' }, later(500))
    const afterwards = stepLane(state, { type: 'time_passed' }, later(501))

    assert.deepEqual(soon.actions, [])
    assert.deepEqual(afterwards.actions, [{ type: 'read' }])
  })

  test('leaves its slot to others after a second', () => {
    assert.equal(lane.isHanging(state, later(1000).ms), false)
    assert.equal(lane.isHanging(state, later(1001).ms), true)
    assert.equal(lane.isHanging(begin(), later(1001).ms), false)
  })
})

describe('the size of a page', () => {
  const cases: [name: string, state: LaneState, lanes: number, size: number][] = [
    ['one lane', begin(), 1, PAGE.max],
    ['several lanes share the memory', begin(), 100, 20],
    ['many lanes', begin(), 10_000, PAGE.min],
    ['a receiver that is probed', begin({ failures: 5 }), 1, 1],
    ['a disabled receiver', begin({ is_disabled: true }), 100, PAGE.ofVoid],
    ['an agent without an address', begin({ webhook_url: null }), 100, PAGE.ofVoid],
    ['a callback', begin({ id: `agent_1 ${HOST}`, webhook_url: null }), 1, PAGE.max],
  ]
  for (const [name, state, lanes, size] of cases)
    test(name, () => {
      assert.equal(pageOf(state, lanes), size)
    })
})

test('the host of a lane is that of its callbacks or of the webhook_url', () => {
  assert.equal(hostOfLane({ id: 'agent_1', webhook_url: URL_THERE }), HOST)
  assert.equal(hostOfLane({ id: 'agent_1 other.example', webhook_url: URL_THERE }), 'other.example')
  assert.equal(hostOfLane({ id: 'agent_1', webhook_url: null }), '')
  assert.deepEqual(
    toQueued([row(1), { ...row(2), url: 'https://other.example:8443/a' }]).map(({ host }) => host),
    [HOST, 'other.example:8443'],
  )
})

function begin(changes: Partial<ClaimedLane> = {}, comeBackMs = 0): LaneState {
  const claimed: ClaimedLane = {
    id: 'agent_1',
    agent_id: 'agent_1',
    webhook_url: URL_THERE,
    failures: 0,
    is_failing: false,
    is_disabled: false,
    ...changes,
  }
  return beginLane(claimed, { until: later(2000).date, concurrency: 4, comeBackMs, now })
}

function run(state: LaneState, event: LaneEvent) {
  return stepLane(state, event, now)
}

function pageOfRows(count: number): LaneEvent {
  const rows = toQueued(Array.from({ length: count }, (_, i) => row(i)))
  return { type: 'page_read', page: { rows, hasMore: false, isEmpty: count === 0 } }
}

/** Gives the lane some turns; the actions besides `take_turn`. */
function takeTurns(state: LaneState, count: number, end?: 'turn_refused') {
  const actions: LaneAction[] = []
  let current = state
  for (let i = 0; i < count; i += 1) {
    const step = run(current, { type: 'turn_taken', host: HOST })
    current = step.state
    actions.push(...step.actions.filter(({ type }) => type !== 'take_turn'))
  }
  if (end === undefined) return { state: current, actions }
  const step = run(current, { type: end })
  return { state: step.state, actions: [...actions, ...step.actions] }
}

const namesOf = (actions: LaneAction[]) => actions.map(({ type }) => type)

function row(n: number): DueDelivery {
  return {
    lane: 'agent_1',
    webhook_url: URL_THERE,
    webhook_secret: 'whsec_',
    webhook_secret_old: null,
    webhook_secret_old_until: null,
    event_id: `evt_${n}`,
    url: null,
    attempts: 0,
    attempts_max: 8,
    is_void: false,
    is_missing: false,
    type: 'task.completed',
    task_id: null,
    sequence: null,
    created_at: now.date,
    data: {},
  }
}
