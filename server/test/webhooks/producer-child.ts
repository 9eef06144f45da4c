/**
 * Repeatedly records a fact together with its event: a row in `facts`, which must be delivered. Started by tests, which
 * kill it. Done naively, fact and event are two transactions.
 */
import { randomUUID } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDb, type Tx } from '../../src/kit/db.ts'
import { recordEvents } from '../../src/webhooks/record-event.ts'
import { chanceOf } from '../processor/chance.ts'

export type Way = 'together' | 'event after the fact' | 'event before the fact'

const LOOPS = 8
const FACTS_MAX = 3
const ROLLED_BACK = 0.1
/** Dies the third time it is between two transactions that should be one. */
const DIES_IN_GAP = 3

class ChangedMind extends Error {}

// Exit when the test process dies.
process.once('disconnect', () => process.exit())
const { DATABASE_URL, AGENTS = '', WAY, PER_SECOND } = process.env
const agents = AGENTS.split(',')
const chance = chanceOf(`${process.pid}`)
const pauseMs = (LOOPS * 1000) / Number(PER_SECOND)
const db = openDb(DATABASE_URL!, { onError() {} })
let gaps = 0
process.send?.('ready')
flushCompileCache()
await Promise.all(Array.from({ length: LOOPS }, produce))

async function produce(): Promise<void> {
  for (;;) {
    const agentId = chance.pick(agents)
    const facts = Array.from({ length: chance.integer(1, FACTS_MAX) }, () => randomUUID())
    // Ignore an unavailable database: what is not committed has not happened.
    await happen(agentId, facts).catch(() => {})
    await sleep(facts.length * pauseMs * chance.integer(50, 150) * 0.01)
  }
}

async function happen(agentId: string, facts: string[]): Promise<void> {
  const isUndone = chance.happens(ROLLED_BACK)
  const fact = (tx: Tx) => writeFacts(tx, agentId, facts)
  const event = (tx: Tx) => recordAll(tx, agentId, facts)
  const undo = () => {
    if (isUndone) throw new ChangedMind()
  }
  try {
    if (WAY === 'event after the fact') {
      await db.transaction(async (tx) => (await fact(tx), undo()))
      gap()
      await db.transaction(event)
    } else if (WAY === 'event before the fact') {
      await db.transaction(event)
      gap()
      await db.transaction(async (tx) => (await fact(tx), undo()))
    } else
      await db.transaction(async (tx) => {
        for (const step of chance.shuffled([fact, event])) await step(tx)
        undo()
      })
  } catch (error) {
    if (!(error instanceof ChangedMind)) throw error
    await sql`insert into undone select unnest(${facts}::text[])`.execute(db.reader)
  }
}

/** The gap that the naive implementation does not handle. */
function gap(): void {
  gaps += 1
  if (gaps === DIES_IN_GAP) process.kill(process.pid, 'SIGKILL')
}

async function writeFacts(tx: Tx, agentId: string, facts: string[]): Promise<void> {
  await sql`insert into facts (id, agent_id) select unnest(${facts}::text[]), ${agentId}`.execute(
    tx,
  )
}

async function recordAll(tx: Tx, agentId: string, facts: string[]): Promise<void> {
  const now = new Date()
  await recordEvents(
    tx,
    facts.map((fact) => ({ type: 'task.consensus_proof', agentId, data: { fact }, now })),
  )
}
