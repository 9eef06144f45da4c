import type { News } from '../src/notices/tell.ts'
import { tellWorker } from '../src/notices/tell.ts'
import type { Json, Marketplace, TestWorker } from './harness.ts'

let told = 0

/** Sends a worker a notice, by default about a payment, a different one each time. Returns the notice id. */
export async function tell(
  market: Marketplace,
  worker: Pick<TestWorker, 'id'>,
  given: Partial<News> = {},
): Promise<string> {
  told += 1
  const news: News = {
    workerId: worker.id,
    kind: 'paid',
    cause: `cause_${told}`,
    task: { id: `task_${told}`, title: 'Look at it', agentName: 'Atlas' },
    amountCents: 410,
    ...given,
  }
  const { config } = market.server
  await market
    .at(worker.id)
    .transaction((tx) => tellWorker(tx, news, { config, now: market.now() }))
  const { id } = await market.db.reader
    .selectFrom('notices')
    .select('id')
    .where('worker_id', '=', worker.id)
    .where('kind', '=', news.kind)
    .where('cause', '=', news.cause)
    .executeTakeFirstOrThrow()
  return id
}

/** Newest first. */
export const noticesOf = async (worker: Pick<TestWorker, 'get'>): Promise<Json[]> =>
  (await worker.get('/worker/notices')).body.notices

/** Runs jobs and timers as often as needed for everything that is due now. */
export async function run(market: Marketplace): Promise<void> {
  await market.work()
  await market.sweep()
  await market.work()
}
