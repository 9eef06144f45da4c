import assert from 'node:assert/strict'
import { contract, DISPUTED_CARD, refusalOf } from './stand.ts'

await contract('a dispute', ({ stripe, sandboxTest }) => {
  sandboxTest('takes amount and fee at once; won, it returns the amount', async (sandbox) => {
    const { id: chargeId } = await sandbox.paidCharge(900, DISPUTED_CARD)
    const [opened] = (await stripe.disputes.list({ charge: chargeId })).data
    assert(opened)
    const taken = await stripe.balance.retrieve()
    await sandbox.flush()
    sandbox.receiver.forget()

    await sandbox.control('POST', `disputes/${opened.id}/close`, { status: 'won' })
    const won = await stripe.disputes.retrieve(opened.id)
    await sandbox.flush()

    const [withdrawn, reinstated] = won.balance_transactions
    assert.equal(opened.object, 'dispute')
    assert.equal(opened.status, 'needs_response')
    assert.equal(opened.charge, chargeId)
    assert.equal(opened.amount, 900)
    assert(opened.evidence_details.due_by! > opened.created)
    assert.equal(opened.balance_transactions.length, 1)
    assert.equal(won.status, 'won')
    assert.equal(won.balance_transactions.length, 2)
    assert.deepEqual(
      [withdrawn!.amount, withdrawn!.fee, withdrawn!.net, withdrawn!.type],
      [-900, 1500, -2400, 'adjustment'],
    )
    assert.equal(withdrawn!.reporting_category, 'dispute')
    assert.deepEqual([reinstated!.amount, reinstated!.fee, reinstated!.net], [900, 0, 900])
    assert.equal(reinstated!.reporting_category, 'dispute_reversal')
    const back = await stripe.balance.retrieve()
    assert.equal(back.available[0]!.amount - taken.available[0]!.amount, 900)
    assert.deepEqual(sandbox.receiver.typesAt('/account').toSorted(), [
      'charge.dispute.closed',
      'charge.dispute.funds_reinstated',
    ])
  })

  sandboxTest('returns nothing when it is lost', async (sandbox) => {
    const charge = await sandbox.paidCharge(2500)
    await sandbox.flush()
    sandbox.receiver.forget()
    const { id } = await sandbox.control('POST', `charges/${charge.id}/dispute`, {
      amount: 2500,
      reason: 'product_not_received',
    })
    const taken = await stripe.balance.retrieve()

    await sandbox.control('POST', `disputes/${id}/close`, { status: 'lost' })
    const lost = await stripe.disputes.retrieve(id)
    await sandbox.flush()

    assert.equal(lost.status, 'lost')
    assert.equal(lost.reason, 'product_not_received')
    assert.equal(lost.balance_transactions.length, 1)
    assert.deepEqual(await stripe.balance.retrieve(), taken)
    assert.equal((await stripe.charges.retrieve(charge.id)).disputed, true)
    assert.deepEqual(sandbox.receiver.typesAt('/account').toSorted(), [
      'charge.dispute.closed',
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
    ])
  })

  sandboxTest('accepts evidence until it is closed', async (sandbox) => {
    const charge = await sandbox.paidCharge(2500)
    const { id } = await sandbox.control('POST', `charges/${charge.id}/dispute`, {})
    sandbox.receiver.forget()

    const draft = await stripe.disputes.update(id, {
      evidence: { product_description: 'A task, done by a person' },
      submit: false,
    })
    const sent = await stripe.disputes.update(id, {
      evidence: { uncategorized_text: 'Photos and times' },
      submit: true,
    })
    const closed = await stripe.disputes.close(id)
    const late = await refusalOf(stripe.disputes.update(id, { submit: true }))
    await sandbox.flush()

    assert.equal(draft.status, 'needs_response')
    assert.equal(draft.evidence.product_description, 'A task, done by a person')
    assert.equal(sent.status, 'under_review')
    assert.equal(sent.evidence_details.submission_count, 1)
    assert.equal(closed.status, 'lost')
    assert.equal(late.statusCode, 400)
    assert(sandbox.receiver.typesAt('/account').includes('charge.dispute.updated'))
  })

  sandboxTest('moves no money while it is an inquiry', async (sandbox) => {
    const charge = await sandbox.paidCharge(2500)
    const before = await stripe.balance.retrieve()

    const { id } = await sandbox.control('POST', `charges/${charge.id}/dispute`, { inquiry: true })
    const inquiry = await stripe.disputes.retrieve(id)

    assert.equal(inquiry.status, 'warning_needs_response')
    assert.deepEqual(inquiry.balance_transactions, [])
    assert.deepEqual(await stripe.balance.retrieve(), before)
  })

  sandboxTest(
    'can cost a second fee when countered, which is returned if it is won',
    async (sandbox) => {
      await sandbox.control('POST', 'settings', { countered_fee: 1500 })
      const charge = await sandbox.paidCharge(2500)
      const before = await stripe.balance.retrieve()
      const { id } = await sandbox.control('POST', `charges/${charge.id}/dispute`, {})

      await stripe.disputes.update(id, { evidence: { uncategorized_text: 'Proof' }, submit: true })
      const countered = await stripe.balance.retrieve()
      await sandbox.control('POST', `disputes/${id}/close`, { status: 'won' })
      await sandbox.control('POST', 'settings', { countered_fee: 0 })

      const after = await stripe.balance.retrieve()
      assert.equal(before.available[0]!.amount - countered.available[0]!.amount, 2500 + 1500 + 1500)
      assert.equal(before.available[0]!.amount - after.available[0]!.amount, 1500)
    },
  )

  sandboxTest('may be preceded by an early fraud warning, without money', async (sandbox) => {
    const charge = await sandbox.paidCharge(2500)
    const before = await stripe.balance.retrieve()
    await sandbox.flush()
    sandbox.receiver.forget()

    await sandbox.control('POST', `charges/${charge.id}/warn`)
    await sandbox.flush()

    const [told] = sandbox.receiver.received
    assert.equal(told?.type, 'radar.early_fraud_warning.created')
    assert.equal(JSON.parse(told!.body.toString()).data.object.charge, charge.id)
    assert.deepEqual(await stripe.balance.retrieve(), before)
  })
})
