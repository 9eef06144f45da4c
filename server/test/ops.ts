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
