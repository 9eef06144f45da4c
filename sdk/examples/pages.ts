/** Reads all tasks, page by page. */
import { Legwork } from '@legwork/sdk'

const legwork = new Legwork()

let spent = 0
for await (const page of legwork.tasks.pages({ status: 'completed' }))
  for (const task of page) spent += task.budget_cents
console.log(`completed tasks cost ${spent} cents`)

for await (const page of legwork.wallet.pages())
  for (const { type, amount_cents } of page) console.log(`${type} ${amount_cents}`)
