import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'

const market = await marketplace({ roles: ['api', 'desk'] })
const audited = (subject: string) =>
  market.asOwner('select action, operator_id from audit_log where subject = $1 order by seq', [
    subject,
  ])

describe('PUT /cases/:id/assignment', () => {
  test('an operator takes a case, sees it under mine, and hands it over with words', async () => {
    const agent = await market.agent()
    await ops(market, 'agent', 'restrict', agent.id, 'fraud')
    const tara = await signIn(market, 'trust', { name: 'Tara' })
    const sue = await signIn(market, 'support', { name: 'Sue' })

    const taken = await tara.put(`/cases/${agent.id}/assignment`, { operator_id: tara.id })
    const mine = await tara.get('/queues/restricted_agents?mine=true')
    const words = 'The agent has written to us.'
    const handed = await tara.put(`/cases/${agent.id}/assignment`, { operator_id: sue.id, words })

    assert.equal(taken.status, 200, taken.text)
    assert.deepEqual(taken.body.assignment.operator, { id: tara.id, name: 'Tara' })
    assert.deepEqual(
      mine.body.rows.map(({ id, assigned }: { id: string; assigned: unknown }) => [id, assigned]),
      [[agent.id, { id: tara.id, name: 'Tara' }]],
    )
    assert.equal(handed.body.assignment.words, words)
    assert.deepEqual(handed.body.assignment.handed_by, { id: tara.id, name: 'Tara' })
    const { object } = (await sue.get(`/objects/${agent.id}`)).body
    assert.equal(object.assignment.operator.name, 'Sue')
    assert.deepEqual((await tara.get('/queues/restricted_agents?mine=true')).body.rows, [])
    assert.deepEqual(
      (await audited(agent.id))
        .map(({ action }) => action)
        .filter((one) => one.startsWith('case.')),
      ['case.assign', 'case.assign'],
    )
  })

  test('409: of two operators who take it at once, one has it', async () => {
    const agent = await market.agent()
    const operators = await Promise.all(
      Array.from({ length: 6 }, async () => await signIn(market, 'trust')),
    )

    const replies = await Promise.all(
      operators.map(({ put, id }) =>
        put(`/cases/${agent.id}/assignment`, { operator_id: id, from: null }),
      ),
    )

    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409, 409, 409, 409],
    )
    const winner = operators[replies.findIndex(({ status }) => status === 200)]!
    const { object } = (await winner.get(`/objects/${agent.id}`)).body
    assert.equal(object.assignment.operator.id, winner.id)
    assert.equal((await audited(agent.id)).length, 1)
  })

  test('404: nobody takes what does not exist, and a viewer can’t take cases', async () => {
    const tara = await signIn(market, 'trust')
    const viewer = await signIn(market, 'viewer')
    const agent = await market.agent()

    const nothing = await tara.put('/cases/task_nothing/assignment', { operator_id: tara.id })
    const toViewer = await tara.put(`/cases/${agent.id}/assignment`, { operator_id: viewer.id })
    const byViewer = await viewer.put(`/cases/${agent.id}/assignment`, { operator_id: tara.id })

    assert.equal(nothing.status, 404)
    assert.equal(toViewer.body.code, 'colleague_not_found')
    assert.equal(byViewer.status, 403)
    const { operators } = (await tara.get('/colleagues')).body
    assert(operators.some(({ id }: { id: string }) => id === tara.id))
    assert(operators.every(({ role }: { role: string }) => role !== 'viewer'))
  })
})

describe('POST /cases/:id/notes', () => {
  test('colleagues see the note on the page of the case', async () => {
    const agent = await market.agent()
    const sue = await signIn(market, 'support', { name: 'Sue' })
    const viewer = await signIn(market, 'viewer')

    const first = await sue.post(`/cases/${agent.id}/notes`, { text: 'Called them.' })
    await sue.post(`/cases/${agent.id}/notes`, { text: 'They call back.' })

    assert.equal(first.status, 201, first.text)
    const { notes } = (await viewer.get(`/objects/${agent.id}`)).body.object
    assert.deepEqual(
      notes.map(({ text, operator }: { text: string; operator: { name: string } }) => [
        text,
        operator.name,
      ]),
      [
        ['Called them.', 'Sue'],
        ['They call back.', 'Sue'],
      ],
    )
    assert.equal((await viewer.post(`/cases/${agent.id}/notes`, { text: 'x' })).status, 403)
    assert.equal((await sue.post('/cases/task_nothing/notes', { text: 'x' })).status, 404)
    assert.equal((await sue.post(`/cases/${agent.id}/notes`, { text: ' ' })).status, 400)
  })
})
