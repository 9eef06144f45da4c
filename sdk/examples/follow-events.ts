/** Follows events without a public webhook URL, and resumes where it stopped. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Legwork } from '@legwork/sdk'

const PLACE = './last-event'
const legwork = new Legwork()
const after = existsSync(PLACE) ? readFileSync(PLACE, 'utf8') : undefined

for await (const event of legwork.events.follow({ after })) {
  console.log(`${event.created_at} ${event.type}`)
  if (event.type === 'task.proof_submitted') await legwork.tasks.approve(event.data.task.id)
  // Save the cursor only after processing the event: after a crash you then get the event again.
  writeFileSync(PLACE, event.id)
  if (event.type === 'task.completed') break
}
