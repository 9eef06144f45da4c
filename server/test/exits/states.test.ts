import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import * as agentTemplates from '../../src/email/agent-templates.ts'
import * as personTemplates from '../../src/email/person-templates.ts'
import * as templates from '../../src/email/templates.ts'
import { endpoints } from '../../src/endpoints.ts'
import { DECISION_KINDS } from '../../src/decisions/kinds.ts'
import { deskOperations } from '../../src/desk-operations.ts'
import { jobs, sweeps } from '../../src/jobs.ts'
import { ACCOUNTS } from '../../src/ledger/accounts.ts'
import { COMMANDS } from '../../src/ops/commands.ts'
import { QUEUES } from '../../src/ops/queues.ts'
import { SWITCHES } from '../../src/kit/switches.ts'
import { TOLD_TYPES } from '../../src/webhooks/record-event.ts'
import { NOTICE_KINDS } from '../../src/workers/notify.ts'
import { marketplace } from '../harness.ts'
import { renderStates } from './render.ts'
import { accountedFor, missingLines, readSchema, readStatusReasons } from './schema.ts'
import { type Exit, LINES, PROPERTIES } from './states.ts'

const market = await marketplace()
const schema = await readSchema((text) => market.asOwner(text))
const names = [
  ...schema.keys(),
  ...Object.keys(ACCOUNTS).map((code) => `account ${code}`),
  ...SWITCHES.map((name) => `switch ${name}`),
  ...readStatusReasons().map((reason) => `reason ${reason}`),
]
/** States that an operator can end, but that do not wait for one. */
const NO_QUEUE: Record<string, string> = {
  'worker-closed': 'closing is permanent; an objection is in its queue',
}
/** Queues of things that are not states of people or money. */
const OF_MACHINES: Record<string, string> = {
  crossings: 'what our machines have still to write elsewhere',
}
/** Queues that no decision at the desk ends, and what does. */
const NO_DECISION: Record<string, string> = {
  chargebacks: 'evidence is sent in the processor’s dashboard',
  outbox: 'the relay, once it runs again; docs/runbooks/jobs-backlog.md',
  crossings: 'the relay, once the other database is back; docs/shards.md',
}
/** States that have no column or table of their own. */
const OUTSIDE_THE_SCHEMA = [
  'jobs out of attempts',
  'test appeals',
  'assignments.revisions',
  'payouts.previous_id',
]

describe('the table of waiting states', () => {
  test('has a line for every state of the schema', () => {
    assert(schema.size > 150, `only ${schema.size} states were found`)
    assert.deepEqual(missingLines(names), [])
  })

  test('has no line for an unknown state', () => {
    const known = new Set([...names, ...OUTSIDE_THE_SCHEMA])
    assert.deepEqual(
      LINES.flatMap(({ at }) => at).filter((key) => !known.has(key)),
      [],
    )
    const properties = Object.keys(PROPERTIES).filter(
      (key) =>
        key !== 'mode' && !known.has(key) && ![...known].some((name) => name.startsWith(`${key}=`)),
    )
    assert.deepEqual(properties, [])
  })

  test('names each line once, and says who can end it or why nobody has to', () => {
    const ids = LINES.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    for (const { id, who, exits, why, alarm } of LINES) {
      const hasClock = exits.some(({ by }) => by === 'clock')
      if (exits.length === 0) assert(who === 'nobody' && why !== undefined, id)
      if (who !== 'nobody' && !hasClock) assert(why !== undefined, `${id}: why is there no clock?`)
      const needsPerson =
        who === 'money' && exits.length > 0 && exits.every(({ by }) => by === 'operator')
      if (needsPerson) assert(alarm !== undefined, `${id}: who tells an operator?`)
    }
  })

  test('every state that waits for an operator is in a queue of the desk', () => {
    const queues = new Set(QUEUES.map(({ name }) => name))
    for (const { id, who, exits, queue } of LINES) {
      if (queue !== undefined) assert(queues.has(queue), `${id}: there is no queue ${queue}`)
      const needsOperator =
        who !== 'nobody' &&
        exits.some(({ by }) => by === 'operator') &&
        exits.every(({ by }) => by !== 'clock')
      if (needsOperator && NO_QUEUE[id] === undefined)
        assert(queue !== undefined, `${id}: in which queue do operators see it?`)
    }
    const named = new Set(LINES.flatMap(({ queue }) => queue ?? []))
    assert.deepEqual(
      [...queues].filter((name) => !named.has(name) && OF_MACHINES[name] === undefined),
      [],
    )
  })

  test('every queue has decisions, and a clock or the reason why it has none', () => {
    const operations = new Set([
      ...DECISION_KINDS.map(({ kind }) => kind),
      ...deskOperations.map(({ name }) => name),
    ])
    for (const { name, decisions, due, why, clock } of QUEUES) {
      assert.equal(
        decisions.length === 0,
        NO_DECISION[name] !== undefined,
        `${name}: what ends it?`,
      )
      for (const decision of decisions)
        assert(operations.has(decision), `${name}: there is no ${decision}`)
      assert((due === null) === (why !== undefined), `${name}: why has it no limit?`)
      assert(clock.endsWith('.'), name)
    }
  })

  test('names only calls, commands, timers, jobs, events, notices and mails that exist', () => {
    const known = {
      calls: new Set(endpoints.map(({ method, path }) => `${method} ${path}`)),
      commands: new Set(COMMANDS.map(({ name }) => `ops ${name}`)),
      timers: new Set([
        ...sweeps.map(({ name }) => name),
        ...jobs.map(({ name }) => name),
        'webhooks deliverer',
        'relay',
      ]),
      told: new Set([
        ...TOLD_TYPES.map((type) => `event ${type}`),
        ...NOTICE_KINDS.map((kind) => `notice ${kind}`),
        ...Object.keys({ ...templates, ...agentTemplates, ...personTemplates }).map(
          (name) => `mail ${name}`,
        ),
      ]),
    }
    const isKnown = ({ by, how }: Exit) =>
      by === 'processor' ||
      { agent: known.calls, worker: known.calls, operator: known.commands, clock: known.timers }[
        by
      ].has(how)
    for (const { id, exits, tells = [], alarm } of LINES) {
      for (const exit of exits) assert(isKnown(exit), `${id}: there is no ${exit.how}`)
      for (const told of [...tells, ...exits.flatMap((exit) => exit.tells)])
        assert(known.told.has(told), `${id}: there is no ${told}`)
      if (alarm) assert(known.commands.has(alarm.command), `${id}: there is no ${alarm.command}`)
    }
  })

  test('is what docs/waiting-states.md shows; `npm run generate` writes it', () => {
    assert.equal(readFileSync('docs/waiting-states.md', 'utf8'), renderStates())
  })
})

describe('control', () => {
  test('a new value of an enum or a check, a new hold column or switch is found without a line', async () => {
    await market.asOwner(`alter type payout_status add value 'lost'`)
    await market.asOwner(`alter table disputes drop constraint disputes_status_check`)
    await market.asOwner(
      `alter table disputes add constraint disputes_status_check check (status in ('open', 'forgotten')) not valid`,
    )
    await market.asOwner(
      `alter table tasks add column blocked_until timestamptz, add column is_frozen boolean`,
    )
    await market.asOwner(`create table parked_money (id text primary key, amount_cents bigint)`)

    const found = await readSchema((text) => market.asOwner(text))

    assert.deepEqual(missingLines([...found.keys(), 'switch deposits', 'reason parked']).sort(), [
      'disputes.status=forgotten',
      'parked_money',
      'payouts.status=lost',
      'reason parked',
      'switch deposits',
      'tasks.blocked_until',
      'tasks.is_frozen',
    ])
  })

  test('the states of a removed line are reported as missing', () => {
    const lines = LINES.filter(({ id }) => id !== 'payout-awaiting-funds')
    assert.deepEqual(
      names.filter((name) => !accountedFor(lines).has(name) && accountedFor(LINES).has(name)),
      ['payouts.status=awaiting_funds'],
    )
  })
})
