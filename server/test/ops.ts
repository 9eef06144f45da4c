import { findCommand } from '../src/ops/commands.ts'
import { perform } from '../src/ops/perform.ts'
import type { Marketplace } from './harness.ts'

/** As an operator types it: what is said, and whether somebody has to look. */
export async function ops(market: Marketplace, ...words: string[]) {
  const { command, rest } = findCommand(words)!
  const { lines, isBad = false } = await perform(market.background, {
    command,
    words: rest,
    operator: 'ada',
  })
  return { out: lines.join('\n'), isBad }
}
