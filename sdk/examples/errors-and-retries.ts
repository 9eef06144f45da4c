/** Handles errors. Temporary failures were already retried before an error is thrown. */
import { InsufficientFundsError, InvalidRequestError, Legwork, LegworkError } from '@legwork/sdk'

const legwork = new Legwork({ retriesMax: 5, timeoutMs: 10_000 })

/** An idempotency key: however often this runs, one order creates one task. */
async function order(number: number, budget_cents: number) {
  try {
    const task = await legwork.tasks.create(
      { description: `Deliver order ${number}`, budget_cents },
      { idempotencyKey: `order-${number}` },
    )
    console.log(`order ${number} is ${task.id}`)
    return task.id
  } catch (error) {
    if (error instanceof InsufficientFundsError)
      console.log(`add ${error.fields.required_cents - error.fields.balance_cents} cents first`)
    else if (error instanceof InvalidRequestError)
      console.log(error.fields.details.map(({ path, message }) => `${path} ${message}`).join(', '))
    else if (error instanceof LegworkError)
      console.log(`${error.code}: ${error.message} (${error.requestId})`)
    else throw error
    return undefined
  }
}

const first = await order(17, 500)
const again = await order(17, 500)
console.log(first === again ? 'once' : 'twice')
await order(18, 900_000)
await order(19, 0)
