import { findCommand } from '../src/ops/commands.ts'
import { perform } from '../src/ops/perform.ts'
import type { Marketplace } from './harness.ts'

/** Runs a command as an operator types it; returns its output, and whether somebody has to act on it. */
export async function ops(market: Marketplace, ...words: string[]) {
  const { command, rest } = findCommand(words)!
  const { lines, isBad = false } = await perform(market.background, {
    command,
    words: rest,
    operator: { id: 'ada', role: 'admin' },
  })
  return { out: lines.join('\n'), isBad }
}

/** Runs a command whose decision needs two operators, and has a second one agree. */
export async function opsByTwo(market: Marketplace, ...words: string[]) {
  for (const id of ['ada', 'grace'])
    await market.server.db.shards.global.transaction((tx) =>
      tx
        .insertInto('operators')
        .values({
          id,
          email: `${id}@desk.example`,
          name: id,
          role: 'admin',
          status: 'active',
          created_at: market.now(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    )
  const proposed = await ops(market, ...words)
  const decision = /Recorded as (opd_\w+)/.exec(proposed.out)?.[1]
  if (decision === undefined) return proposed
  const { command, rest } = findCommand(['agree', decision])!
  const { lines, isBad = false } = await perform(market.background, {
    command,
    words: rest,
    operator: { id: 'grace', role: 'admin' },
  })
  return { out: lines.join('\n'), isBad }
}
