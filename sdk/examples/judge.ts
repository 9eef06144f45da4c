/** Reviews the work before paying: approves it, or disputes it with a reason that the worker sees. */
import { Legwork } from '@legwork/sdk'

const legwork = new Legwork()
const task = await legwork.field({
  mission: 'Read the notice at the front door and write down what it says',
  location: 'Moorweg 12, Wedel',
  proof: 'text',
  budget_cents: 800,
})
const { status, proofs } = await legwork.tasks.wait(task.id)
if (status !== 'proof_submitted') throw new Error(`nobody did it: ${status}`)

const [proof] = proofs
const doubts = proof!.checks.filter(({ result }) => result === 'fail')
if (proof!.outcome === 'done' && doubts.length === 0) {
  const { settlement } = await legwork.tasks.approve(task.id)
  console.log(`paid ${settlement.gross_cents} cents`)
} else {
  const reason = doubts.map(({ note }) => note).join('; ') || 'It was not possible'
  const { refunded_cents } = await legwork.tasks.dispute(task.id, { reason })
  console.log(`got ${refunded_cents} cents back`)
}
