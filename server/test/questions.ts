/** A worker or an agent who asks, and an operator who answers. */
import assert from 'node:assert/strict'
import type { Json, Marketplace, TestWorker } from './harness.ts'
import { ops } from './ops.ts'

export const QUESTION = { subject: 'payment', text: 'When will my payout arrive?' }
export const AGENT_QUESTION = { subject: 'billing', text: 'Can I have an invoice?' }

/** Asks a question; returns it. */
export async function ask(worker: Pick<TestWorker, 'post'>, body: Json = QUESTION): Promise<Json> {
  const { status, body: said, text } = await worker.post('/worker/questions', body)
  assert.equal(status, 201, text)
  return said.question
}

export async function askAsAgent(
  agent: Pick<TestWorker, 'post'>,
  body: Json = AGENT_QUESTION,
): Promise<Json> {
  const { status, body: said, text } = await agent.post('/agents/questions', body)
  assert.equal(status, 201, text)
  return said.question
}

/** Answers as an operator, and notifies whoever asked. */
export async function answer(market: Marketplace, id: string, text = 'It arrives tomorrow.') {
  const said = await ops(market, 'question', 'answer', id, text)
  assert.equal(said.isBad, false, said.out)
  await market.work()
}
