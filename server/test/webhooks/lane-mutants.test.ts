/**
 * Proves that the random histories of a lane detect bugs: each mutant breaks one rule of lane.ts, and must be caught on
 * histories that pass with the correct rules.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import * as lane from '../../src/webhooks/lane.ts'
import { histories, play, playOverload } from './lane-histories.ts'
import type { Machine } from './lane-world.ts'

const SEED = 7
const HISTORIES = 200
const FOLDER = path.join(import.meta.dirname, '../../src/webhooks')
const SOURCE = readFileSync(path.join(FOLDER, 'lane.ts'), 'utf8')
const sample = fc.sample(histories, { seed: SEED, numRuns: HISTORIES })

/** A place in lane.ts, its replacement, and the violation that must catch it. */
const MUTANTS: Record<string, { replace: [from: string, to: string]; by: RegExp }> = {
  'an ended attempt keeps its slot': {
    replace: ['sending: without(state.sending, row.event_id),', ''],
    by: /known twice|could be started|never/,
  },
  'an ended attempt is forgotten before it is recorded': {
    replace: ['recording: [...state.recording, row.event_id],', ''],
    by: /before it was recorded|results to record|was done/,
  },
  'a recorded attempt is remembered forever': {
    replace: ['recording: without(state.recording, delivery.row.event_id)', ''],
    by: /never|keeps its lane/,
  },
  'a failed delivery is queued again at once': {
    replace: [
      'sending: without(state.sending, row.event_id),',
      `sending: without(state.sending, row.event_id),
       queue: isAnswered(attempt) ? state.queue : [...state.queue, delivery],`,
    ],
    by: /before it was recorded|before it is due|known twice|read too long ago/,
  },
  'only successes are recorded': {
    replace: [
      `{ type: 'record', delivery, attempt, touchesLane },`,
      `...(isAnswered(attempt) ? [{ type: 'record', delivery, attempt, touchesLane }] : []),`,
    ],
    by: /not recorded/,
  },
  'a turn is not given back': {
    replace: [`{ type: 'give_back_turn', host },\n      { type: 'record'`, `{ type: 'record'`],
    by: /turn is not given back|could be started/,
  },
  'a lost lease is ignored': {
    replace: [`proceed(endBecause(state, 'lost'), now)`, 'proceed(state, now)'],
    by: /after the lease was lost/,
  },
  'the end of the lease is ignored': {
    replace: [' && now.date < state.until', ''],
    by: /without a valid lease/,
  },
  'a renewed lease is not noted': {
    replace: ['  ...state,\n  until,\n', '  ...state,\n'],
    by: /could be started|never/,
  },
  'a regained lease counts as lost': {
    replace: [`state.ending?.reason === 'lost' ? undefined : state.ending`, 'state.ending'],
    by: /for no reason/,
  },
  'one more is in flight than allowed': {
    replace: [
      'state.sending.length < windowOf(state) && now.date',
      'state.sending.length <= windowOf(state) && now.date',
    ],
    by: /more than \d in flight/,
  },
  'a failing receiver is probed with several deliveries': {
    replace: ['failures >= FAILURES_BEFORE_PAUSE ? 1 : concurrency', 'concurrency'],
    by: /more than 1 in flight/,
  },
  'five failures cause no pause': {
    replace: [
      `failures >= FAILURES_BEFORE_PAUSE ? endBecause(failed, 'paused') : failed`,
      'failures ? failed : failed',
    ],
    by: /while the receiver is paused/,
  },
  'the pause comes one failure too late': {
    replace: [
      'failed.failures >= FAILURES_BEFORE_PAUSE',
      'failed.failures > FAILURES_BEFORE_PAUSE',
    ],
    by: /while the receiver is paused/,
  },
  'a success does not reset the failures': {
    replace: ['failures: 0, needsHealthUpdate', 'needsHealthUpdate'],
    by: /could be started|for no reason/,
  },
  '410 is ignored': {
    replace: [`if (attempt.outcome === 'disabled') return endBecause(failed, 'disabled')`, ''],
    by: /after the receiver was disabled/,
  },
  'a receiver that the database disabled gets more': {
    replace: [
      `return endBecause({ ...recorded, needsHealthUpdate: true }, 'disabled')`,
      'return recorded',
    ],
    by: /after the receiver was disabled/,
  },
  'a failure is not counted': {
    replace: ['(state.needsHealthUpdate || !isAnswered(attempt) ||', '(state.needsHealthUpdate ||'],
    by: /failure is not counted/,
  },
  'a recovery is not recorded': {
    replace: ['failures > 0 || is_failing || is_disabled,', 'false,'],
    by: /recorded as failing/,
  },
  'the response to a tampered ping counts': {
    replace: [
      'isTampered(row) ? ended : updateHealth(ended, attempt)',
      'updateHealth(ended, attempt)',
    ],
    by: /for no reason|more than|could be started|while the receiver is paused/,
  },
  'slow recording does not slow down sending': {
    replace: ['  knownCount(state) < KNOWN_MAX &&\n', ''],
    by: /kept in memory/,
  },
  'old rows are sent': {
    replace: ['now.ms - state.readMs > READ_MS_MAX', 'false'],
    by: /read too long ago/,
  },
  'a busy lane never yields its slot': {
    replace: ['(now.isFull && (', '(false && ('],
    by: /keeps its slot/,
  },
  'a stopping process goes on': {
    replace: ['  now.isStopping ||\n', ''],
    by: /while the process stops|keeps its lane/,
  },
  'a crowded host gets more': {
    replace: [`comeBackMs > 0 ? { reason: 'crowded', comeBackMs } : undefined`, 'undefined'],
    by: /crowded host/,
  },
  'a page is read twice at once': {
    replace: [`{ ...state, activity: 'reading' }`, 'state'],
    by: /twice at once/,
  },
  'a lane is released while requests are in flight': {
    replace: ['knownCount(state) === 0 && (!state.hasMore', '(!state.hasMore'],
    by: /in flight|results to record/,
  },
  'a lane that must be released may stay': {
    replace: ['must: isEnding(state, now)', 'must: false'],
    by: /keeps its lane|never|not paused/,
  },
  'a lane that stays is forgotten': {
    replace: ['event.stays ? proceed(stay(state), now) : forget(state)', 'forget(state)'],
    by: /forgotten/,
  },
  'a postponed read is not retried': {
    replace: ['postponeRead(endActivity(state), now)', 'postponeRead(state, now)'],
    by: /never|keeps its lane/,
  },
  'an empty lane is read in a loop': {
    replace: [`isUnexpected ? { reason: 'unexpectedly_empty' } : state.ending`, 'state.ending'],
    by: /after our own failure|never comes to rest/,
  },
  'a record that the database rejects is tried in a loop': {
    replace: [
      `needsHealthUpdate: true, ending: { reason: 'unrecorded' } }`,
      'needsHealthUpdate: true }',
    ],
    by: /after our own failure/,
  },
  'a lane that can’t be read is read in a loop': {
    replace: [`, ending: { reason: 'unreadable' } }`, ' }'],
    by: /after our own failure|never comes to rest/,
  },
  'a lane is not paused after our own failure': {
    replace: ['return PAUSES_MS[ending.reason]', 'return undefined'],
    by: /not paused/,
  },
}

const folder = mkdtempSync(path.join(tmpdir(), 'lane-mutants-'))
after(() => rmSync(folder, { recursive: true }))

describe('the random histories of a lane', () => {
  for (const [name, { replace, by }] of Object.entries(MUTANTS))
    test(`catch that ${name}`, async () => {
      assert.equal(SOURCE.split(replace[0]).length, 2, 'the place is there, once')
      const { violation, played } = findViolation(await load(name, SOURCE.replace(...replace)))

      assert(violation, `survived ${played} histories`)
      assert.match(violation, by)
      console.log(`caught: ${name} — ${violation}, in history ${played}`)
    })

  test('find nothing wrong with the correct rules', () => {
    const { violation } = findViolation(lane)

    assert.equal(violation, undefined)
  })
})

/** The mutant as a module that imports its neighbors from their folder. */
async function load(name: string, source: string): Promise<Machine> {
  const file = path.join(folder, `${name.replaceAll(/\W+/g, '-')}.ts`)
  writeFileSync(file, source.replaceAll(`from './`, `from '${pathToFileURL(FOLDER).href}/`))
  return (await import(pathToFileURL(file).href)) as Machine
}

function findViolation(machine: Machine): { violation?: string; played: number } {
  for (const [i, history] of sample.entries()) {
    const { violation } = play(machine, history)
    if (violation !== undefined) return { violation, played: i + 1 }
  }
  const violation = playOverload(machine)
  return { ...(violation && { violation }), played: sample.length + 1 }
}
