import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { contract, createTransfer, refusalOf, type Sandbox } from './stand.ts'

const TRANSFERS = 'POST /v1/transfers'

await contract('an injected fault', ({ stripe, client, sandboxTest }) => {
  /** Makes one call under a fault; returns its error, and whether the transfer was made anyway. */
  async function underFault(sandbox: Sandbox, fault: object) {
    await sandbox.fund(10_000)
    const account = await sandbox.activeAccount()
    const [group, key] = [`task_${randomUUID()}`, randomUUID()]
    await sandbox.fault({ match: TRANSFERS, times: 1, ...fault })
    const outcome = await createTransfer(client({ timeout: 300 }), account, { group, key }).then(
      (value) => ({ value, error: undefined }),
      (error: Stripe.errors.StripeError) => ({ value: undefined, error }),
    )
    const made = await sandbox.countTransfers(group)
    await sandbox.control('DELETE', 'faults')
    const repeated = await createTransfer(stripe, account, { group, key })
    return { ...outcome, made, repeated, madeAfter: await sandbox.countTransfers(group) }
  }

  sandboxTest(
    'error_before: the response is 500, and nothing is done or stored',
    async (sandbox) => {
      const { error, made, madeAfter } = await underFault(sandbox, { mode: 'error_before' })

      assert(error instanceof Stripe.errors.StripeAPIError)
      assert.equal(error.statusCode, 500)
      assert.deepEqual([made, madeAfter], [0, 1])
    },
  )

  sandboxTest('error_before: status and code can be chosen', async (sandbox) => {
    const { error, made } = await underFault(sandbox, {
      mode: 'error_before',
      status: 400,
      code: 'balance_insufficient',
    })

    assert(error instanceof Stripe.errors.StripeInvalidRequestError)
    assert.equal(error.code, 'balance_insufficient')
    assert.equal(made, 0)
  })

  sandboxTest('error_after: the response is 500, and the request is done', async (sandbox) => {
    const { error, made, madeAfter } = await underFault(sandbox, {
      mode: 'error_after',
      stores: 'answer',
    })

    assert.equal(error?.statusCode, 500)
    assert.deepEqual([made, madeAfter], [1, 1])
  })

  sandboxTest('hang_before: there is no response, and nothing is done', async (sandbox) => {
    const { error, made, madeAfter } = await underFault(sandbox, { mode: 'hang_before' })

    assert(error instanceof Stripe.errors.StripeConnectionError)
    assert.deepEqual([made, madeAfter], [0, 1])
  })

  sandboxTest('hang_after: there is no response, and the request is done', async (sandbox) => {
    const { error, made, madeAfter } = await underFault(sandbox, { mode: 'hang_after' })

    assert(error instanceof Stripe.errors.StripeConnectionError)
    assert.deepEqual([made, madeAfter], [1, 1])
  })

  sandboxTest('reset_before: the connection breaks, and nothing is done', async (sandbox) => {
    // The stripe package always retries once after a broken connection, whatever its settings.
    const { error, made, madeAfter } = await underFault(sandbox, { mode: 'reset_before', times: 2 })

    assert(error instanceof Stripe.errors.StripeConnectionError)
    assert.deepEqual([made, madeAfter], [0, 1])
  })

  sandboxTest('reset_after: the connection breaks, and the request is done', async (sandbox) => {
    const { error, made, madeAfter } = await underFault(sandbox, { mode: 'reset_after', times: 2 })

    assert(error instanceof Stripe.errors.StripeConnectionError)
    assert.deepEqual([made, madeAfter], [1, 1])
  })

  sandboxTest('rate_limit: the response is 429, and nothing is done', async (sandbox) => {
    const { error, made } = await underFault(sandbox, { mode: 'rate_limit' })

    assert(error instanceof Stripe.errors.StripeRateLimitError)
    assert.equal(error.statusCode, 429)
    assert.equal(made, 0)
  })

  sandboxTest('lock_timeout: the response is a 429 that the package retries', async (sandbox) => {
    const { error, made } = await underFault(sandbox, { mode: 'lock_timeout' })
    await sandbox.fault({ match: TRANSFERS, mode: 'lock_timeout', times: 1 })
    const account = await sandbox.activeAccount()

    const retried = await createTransfer(client({ maxNetworkRetries: 1 }), account)

    assert.equal(error?.code, 'lock_timeout')
    assert.equal(error?.headers?.['stripe-should-retry'], 'true')
    assert.equal(made, 0)
    assert.equal(retried.object, 'transfer')
  })

  sandboxTest('html502: the response is an HTML page like that of a proxy', async (sandbox) => {
    const { error } = await underFault(sandbox, { mode: 'html502' })

    assert(error instanceof Stripe.errors.StripeAPIError)
    assert.equal(error.statusCode, undefined)
    assert.match(error.message, /Invalid JSON/)
  })

  sandboxTest('slow: the response is late but complete', async (sandbox) => {
    const begun = performance.now()

    const { value, made } = await underFault(sandbox, { mode: 'slow', ms: 150 })

    assert.equal(value?.object, 'transfer')
    assert.equal(made, 1)
    assert(performance.now() - begun >= 150)
  })

  sandboxTest(
    'json_without_error: the package takes the response for a success',
    async (sandbox) => {
      const { value, error } = await underFault(sandbox, { mode: 'json_without_error' })

      assert.equal(error, undefined)
      assert.equal(value?.id, undefined)
      assert(value!.lastResponse.statusCode >= 300)
    },
  )

  sandboxTest('strikes only its requests, and only as often as configured', async (sandbox) => {
    await sandbox.fund(10_000)
    const account = await sandbox.activeAccount()
    await sandbox.fault({ match: TRANSFERS, mode: 'error_before', times: 2 })

    const balance = await stripe.balance.retrieve()
    const list = await stripe.transfers.list({ limit: 1 })
    const statuses = []
    for (let count = 0; count < 3; count++)
      statuses.push(
        await createTransfer(stripe, account).then(
          () => 200,
          (error: Stripe.errors.StripeError) => error.statusCode,
        ),
      )

    assert.equal(balance.object, 'balance')
    assert.equal(list.object, 'list')
    assert.deepEqual(statuses, [500, 500, 200])
  })

  sandboxTest('can be random, and repeats for the same seed', async (sandbox) => {
    const run = async () => {
      await sandbox.fault({
        match: 'GET /v1/balance',
        mode: 'error_before',
        probability: 0.5,
        seed: 42,
      })
      const outcomes = []
      for (let count = 0; count < 40; count++)
        outcomes.push(
          await stripe.balance.retrieve().then(
            () => '.',
            () => 'x',
          ),
        )
      await sandbox.control('DELETE', 'faults')
      return outcomes.join('')
    }

    const [first, second] = [await run(), await run()]

    assert.equal(first, second)
    assert.match(first, /x/)
    assert.match(first, /\./)
  })

  sandboxTest('ends when it is removed', async (sandbox) => {
    await sandbox.fault({ match: 'GET /v1/balance', mode: 'error_before' })
    const during = await refusalOf(stripe.balance.retrieve())

    await sandbox.control('DELETE', 'faults')

    assert.equal(during.statusCode, 500)
    assert.equal((await stripe.balance.retrieve()).object, 'balance')
  })
})
