/** `npm run trace`: prints the whole trace of one task, from its creation to the worker's payout. */
import { test } from 'node:test'
import { renderTree, runTask, tracedMarket } from './scenario.ts'

test('a task from creation to payout', async () => {
  const { spans, traceId } = await runTask(await tracedMarket())
  console.log([`trace ${traceId}, ${spans.length} spans`, '', ...renderTree(spans), ''].join('\n'))
})
