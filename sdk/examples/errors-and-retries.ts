/** What can go wrong, and what to do then. What passes by itself was tried again before you hear of it. */
import { InsufficientFundsError, InvalidRequestError, Legwork, LegworkError } from '@legwork/sdk'

const legwork = new Legwork({ retriesMax: 5, timeoutMs: 10_000 })

/** The same key however often this runs: one order is one task. */
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
