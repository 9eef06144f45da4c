import { formatCents } from '../../kit/money.ts'
import type { DataOf } from '../command.ts'
import type { limit } from '../limit.ts'
import type { limits } from '../limits.ts'

export const renderLimits = (shown: DataOf<typeof limits>): string[] =>
  shown.limits.map(({ kind, over_cents }) => `${kind.padEnd(20)} ${inWords(over_cents)}`)

export const renderLimit = ({ kind, over_cents }: DataOf<typeof limit>): string[] => [
  `${kind}: two operators ${inWords(over_cents)}`,
]

const inWords = (cents: number | null): string =>
  cents === null ? 'never' : cents === 0 ? 'always' : `above ${formatCents(cents)}`
