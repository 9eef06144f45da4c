import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { endpoints } from '../../src/endpoints.ts'
import { type AnyEndpoint, endpoint } from '../../src/kit/endpoint.ts'
import { agentRestricted, taskNotFound } from '../../src/tasks/errors.ts'
import { TaskId } from '../../src/tasks/view.ts'
import { marketplace } from '../harness.ts'
import { takeFindings } from '../tenants/recorder.ts'
import { openWorld } from './callers.ts'
import { tryLinks } from './links.ts'
import { isOfHeaders, isWhole, nameOf, renderTable, type Report, tryOperation } from './matrix.ts'
import { OTHER_ROUTES, PAGES, tryRoute } from './routes.ts'

/** Output path of the whole table; `npm run test:matrix` sets it. */
const OUT = process.env.MATRIX_OUT
const Anything = z.record(z.string(), z.unknown())

/** Reads a task by its id alone. */
const forgetsOwner = endpoint({
  method: 'GET',
  path: '/planted/tasks/:id',
  auth: 'agent',
  scope: 'read',
  access: { object: 'own' },
  summary: 'A hole',
  params: z.object({ id: TaskId }),
  success: { status: 200, body: Anything },
  errors: [taskNotFound],
  async handler({ db, params }) {
    const task = await db
      .selectFrom('tasks')
      .select(['id', 'title'])
      .where('id', '=', params.id)
      .executeTakeFirst()
    if (task === undefined) throw taskNotFound()
    return { task }
  },
})

/** Checks the owner correctly, but renames the caller before it refuses. */
const writesAndRefuses = endpoint({
  method: 'POST',
  path: '/planted/tasks/:id/cancel',
  auth: 'agent',
  scope: 'review',
  access: { object: 'own' },
  summary: 'A hole',
  params: z.object({ id: TaskId }),
  success: { status: 200, body: Anything },
  errors: [taskNotFound],
  transaction: 'own',
  async handler({ db, agent, params, requestId }) {
    const task = await db.reader
      .selectFrom('tasks')
      .select('id')
      .where('id', '=', params.id)
      .where('agent_id', '=', agent.id)
      .executeTakeFirst()
    if (task) return { status: 200, body: '{}', isReplay: false }
    await db.transaction((tx) =>
      tx.updateTable('agents').set({ name: requestId }).where('id', '=', agent.id).execute(),
    )
    throw taskNotFound()
  },
})

/** Declares that a restricted agent is refused, but serves it. */
const forgetsRestriction = endpoint({
  method: 'POST',
  path: '/planted/webhooks/ping',
  auth: 'agent',
  scope: 'manage',
  access: { restricted: 'refused' },
  summary: 'A hole',
  success: { status: 200, body: Anything },
  errors: [agentRestricted],
  handler: async () => ({}),
})

let victimId = ''
/** Renames the victim, whoever calls. */
const changesOthers = endpoint({
  method: 'POST',
  path: '/planted/webhooks/rotate-secret',
  auth: 'agent',
  scope: 'manage',
  summary: 'A hole',
  success: { status: 200, body: Anything },
  errors: [],
  async handler({ tx, requestId }) {
    await tx.updateTable('agents').set({ name: requestId }).where('id', '=', victimId).execute()
    return {}
  },
})

/** Shows every agent’s keys. */
const showsOthers = endpoint({
  method: 'GET',
  path: '/planted/agents/keys',
  auth: 'agent',
  scope: 'read',
  summary: 'A hole',
  success: { status: 200, body: Anything },
  errors: [],
  handler: async ({ db }) => ({ keys: await db.selectFrom('api_keys').select('name').execute() }),
})

const planted = [forgetsOwner, writesAndRefuses, forgetsRestriction, changesOthers, showsOthers]

const market = await marketplace({
  processor: true,
  moreEndpoints: planted,
  settings: {
    DISPUTES_BEFORE_REVIEW: 100_000,
    DISPUTES_TOUCHING_TRUST: 0,
    LIMITED_KEYS_MAX: 10_000,
  },
})
const world = await openWorld(market)
victimId = world.victim.agent.id

const whole: Report = { cells: [], holes: [] }
const started = performance.now()

function keep({ cells, holes }: Report): void {
  whole.cells.push(...cells)
  whole.holes.push(...holes)
  assert.deepEqual(holes, [])
}

/** A worker can close the account only before they have accepted a task, as other calls make them do. */
const isFirst = (endpoint: AnyEndpoint) => nameOf(endpoint) === 'POST /worker/close'
const inOrder = endpoints.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))

describe('the authorization matrix: every kind of caller gets what the endpoint declares', () => {
  for (const endpoint of inOrder)
    test(nameOf(endpoint), async () => {
      const tryAll = isOfHeaders(endpoint) ? tryOperation : tryLinks
      const report = await tryAll(market, world, endpoint)

      keep(report)
      assert(
        report.cells.some(({ got }) => got.status < 400),
        'the call succeeds for at least one caller',
      )
    })

  for (const route of [...PAGES, ...Object.keys(OTHER_ROUTES)])
    test(`${route}, which is not an endpoint`, async () => {
      keep(await tryRoute(market, world, route))
    })

  test('is complete, and is written to MATRIX_OUT', () => {
    const seconds = Math.round((performance.now() - started) / 1000)
    const summary = `${whole.cells.length} cells, ${whole.holes.length} holes (${seconds} s)`
    console.log(summary)
    if (OUT !== undefined) {
      mkdirSync(path.dirname(OUT), { recursive: true })
      writeFileSync(OUT, `${renderTable(whole)}\n${summary}\n`)
    }
    assert.deepEqual(whole.holes, [])
    assert(whole.cells.length > (isWhole ? 6000 : 3500), summary)
  })
})

describe('control: the matrix', () => {
  const findHoles = async (endpoint: (typeof planted)[number]) => {
    const { holes } = await tryOperation(market, world, endpoint)
    // The tenant check finds some of them, too.
    takeFindings(nameOf(endpoint))
    return holes
  }

  test('finds a planted endpoint that ignores the owner', async () => {
    const holes = await findHoles(forgetsOwner)

    for (const name of [
      'another agent',
      'own test key on live objects',
      'own live key on test objects',
    ])
      assert(
        holes.some(
          ({ caller, why }) =>
            caller === name && why.includes('declared 404 task_not_found, got 200'),
        ),
        name,
      )
  })

  test('finds a planted endpoint that writes before it refuses, and its caller', async () => {
    const holes = await findHoles(writesAndRefuses)

    assert(holes.some(({ why }) => why === 'a refused call changed agents'))
  })

  test('finds a planted endpoint that serves a restricted agent despite its declaration', async () => {
    const holes = await findHoles(forgetsRestriction)

    assert.deepEqual(
      holes.map(({ caller }) => caller),
      ['restricted agent'],
    )
  })

  test('finds a planted endpoint that changes or shows foreign data', async () => {
    // A key of the victim with a recognizable name.
    await world.live.shared('PATCH /agents/keys/:id')
    const changing = await findHoles(changesOthers)
    const showing = await findHoles(showsOthers)

    assert(changing.some(({ why }) => why.includes('changed the victim’s rows in agents')))
    assert(showing.some(({ why }) => why === 'reads something of the victim’s'))
  })
})
