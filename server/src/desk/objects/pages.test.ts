import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setCases } from '../../../test/desk/cases.ts'

const { market, operators, suspense, questions } = await setCases()
const { finn, sue } = operators

const pageOf = async (id: string, by = finn) => {
  const { status, body, text } = await by.get(`/objects/${id}`)
  assert.equal(status, 200, text)
  return body.object
}
const names = (rows: { name: string }[]) => rows.map(({ name }) => name)

describe('the page of a break', () => {
  const id = `break_${suspense.breakId}`

  test('has the difference, the processor’s reference, the ledger lines, and what to do', async () => {
    const page = await pageOf(id)

    assert.equal(page.kind, 'break')
    assert.equal(page.status, 'open')
    const fact = (name: string) =>
      page.facts.find((one: { name: string }) => one.name === name)?.value
    assert.equal(fact('Difference'), 4200)
    assert.equal(fact('About'), suspense.transactionId)
    assert.match(fact('Processor reference'), /^ch_/)
    assert.match(fact('Next step'), /whose money/)
    assert.deepEqual(
      page.money.map(({ type, amount_cents }: { type: string; amount_cents: number }) => [
        type,
        amount_cents,
      ]),
      [
        ['unmatched_receipt', 4200],
        ['processor_fee', 152],
      ],
    )
    assert.deepEqual(
      page.waits.map(({ queue }: { queue: string }) => queue),
      ['breaks'],
    )
    assert.equal(page.choices[0].label, 'Explain it')
  })

  test('shows the explanation and the decision afterwards, and leaves its queue', async () => {
    const reason = 'A test payment of our own, from the office.'
    const { status, text } = await finn.post('/decisions', {
      kind: 'break.explain',
      subject: id,
      input: {},
      reason,
      request_key: 'explain-1',
    })
    assert.equal(status, 201, text)

    const page = await pageOf(id)

    assert.equal(page.status, 'explained')
    assert.deepEqual(page.waits, [])
    assert.deepEqual(page.text, [{ label: 'Explanation', by: 'operator', text: reason }])
    assert.deepEqual(
      page.decisions.map(({ kind, reason: words }: { kind: string; reason: string }) => [
        kind,
        words,
      ]),
      [['break.explain', reason]],
    )
    assert(names(page.facts).includes('Explained by'))
  })

  test('exists for no other number', async () => {
    for (const other of ['break_999999', 'break_', 'break_x', 'break_99999999999999999999'])
      assert.equal((await finn.get(`/objects/${other}`)).status, 404, other)
  })
})

describe('the page of a question', () => {
  test('has the thread, the asker, and the time that is left', async () => {
    const page = await pageOf(questions.payment, sue)

    assert.equal(page.kind, 'question')
    assert.equal(page.title, 'Question about payment')
    assert.deepEqual(
      page.waits.map(({ queue }: { queue: string }) => queue),
      ['questions'],
    )
    assert.equal(page.thread.length, 1)
    assert.match(page.thread[0].text, /mi pago/)
    assert.equal(page.thread[0].author, 'worker')
    assert.deepEqual(page.related[0], {
      id: questions.worker.id,
      kind: 'worker',
      title: 'Worker',
    })
    assert(page.related.some((one: { id: string }) => one.id === questions.safety))
  })

  test('shows the answer in the thread and in the timeline', async () => {
    const { status, text } = await sue.post(`/questions/${questions.safety}/answer`, {
      text: 'Thank you for telling us. Are you safe now?',
      closes: false,
    })
    assert.equal(status, 200, text)

    const page = await pageOf(questions.safety, sue)

    assert.equal(page.status, 'answered')
    assert.deepEqual(page.waits, [])
    assert.equal(page.thread[1].author, 'operator')
    assert.equal(page.thread[1].name, 'Sue Castillo')
    assert.deepEqual(
      page.timeline.map(({ what }: { what: string }) => what),
      ['Asked', 'Answered'],
    )
  })
})

describe('the page of a deposit', () => {
  test('has the money to the cent and every reference of the processor', async () => {
    const [deposit] = await market.asOwner(
      `select id, agent_id, charge_id, amount_cents, fee_cents from deposits where status = 'succeeded' limit 1`,
    )

    const page = await pageOf(String(deposit!.id))

    assert.equal(page.kind, 'deposit')
    assert(names(page.facts).includes('Charge'))
    const lines = page.money as { type: string; amount_cents: number }[]
    assert.deepEqual(
      Object.fromEntries(lines.map(({ type, amount_cents }) => [type, amount_cents])),
      {
        deposit: deposit!.amount_cents,
        processor_fee: deposit!.fee_cents,
      },
    )
    assert.deepEqual(page.related[0].id, deposit!.agent_id)
  })
})
