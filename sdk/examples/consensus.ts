/** Asks three people, and decides if they disagree. */
import { ConsensusConflictError, Legwork } from '@legwork/sdk'

const legwork = new Legwork()
const task = await legwork.gutCheck({
  content: 'We are sorry that your parcel is late. It left our house today.',
  question: 'How friendly does this sound?',
  scale: '1-10',
  consensus: 3,
})

const { consensus } = await legwork.tasks.wait(task.id, { timeout: '2h' })
console.log(`they say ${consensus!.votes.map(({ answer }) => answer).join(', ')}`)

try {
  await legwork.tasks.approve(task.id)
  console.log(`the result is ${JSON.stringify(consensus!.result)}`)
} catch (error) {
  if (!(error instanceof ConsensusConflictError)) throw error
  await legwork.tasks.approve(task.id, { override_result: 5 })
  console.log('they do not agree: 5 counts, and everyone is paid')
}
