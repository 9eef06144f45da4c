/** Asks a question, waits for the answer, saves the photos and pays. */
import { Legwork } from '@legwork/sdk'

const legwork = new Legwork() // LEGWORK_API_KEY
const task = await legwork.verify({
  question: 'Is the bakery open?',
  location: 'Moorweg 12, Wedel',
  proof: 'photo',
})
console.log(`${task.id}: ${task.budget_cents} cents are locked`)

const done = await legwork.tasks.wait(task.id, { timeout: '30m' })
for (const p of done.proofs) {
  console.log(`${p.worker.name} says ${JSON.stringify(p.answer)}: ${p.text}`)
  for (const file of await p.save('./proofs')) console.log(`saved ${file}`)
}

const { settlement } = await legwork.tasks.approve(task.id)
console.log(`the worker gets ${settlement.workers[0]!.net_cents} cents`)
