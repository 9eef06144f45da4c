/** Workers at a task, who can ask to be checked on. */
import type { Marketplace } from './harness.ts'

const MINUTE_MS = 60_000

export const inMinutes = (market: Marketplace, minutes: number) =>
  new Date(market.now().getTime() + minutes * MINUTE_MS).toISOString()

/** A worker who has accepted a task. */
export async function atWork(market: Marketplace) {
  const agent = await market.agent({ freeTasks: false, balanceCents: 5000 })
  const task = await market.taskIn(agent, 'in_progress')
  const worker = task.workers[0]!
  return {
    id: task.id,
    worker,
    set: (body: object) => worker.post(`/worker/tasks/${task.id}/check-in`, body),
    isFine: () => worker.post(`/worker/tasks/${task.id}/check-in/ok`),
    current: async () => (await worker.get('/worker/check-in')).body.check_in,
  }
}

/** Lets time pass, with the timers at its end. */
export async function pass(market: Marketplace, minutes: number): Promise<void> {
  market.advance(minutes * MINUTE_MS)
  await market.sweep()
  await market.work()
}
