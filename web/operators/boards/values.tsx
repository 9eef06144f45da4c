/** How the values of boards are written. */
import { Ago } from '../../shared/desk/ago.tsx'
import { count, money, percent, span } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { addressOf } from '../addresses.ts'
import type { Answer } from '../api.ts'

export type Board = Answer<'/boards/{name}'>
export type BoardName = Board['name']
export type Figure = Board['figures'][number]
type Column = Board['tables'][number]['columns'][number]
type Cell = Board['tables'][number]['rows'][number][number]

export const BOARDS: { name: BoardName; label: string }[] = [
  { name: 'money', label: 'Money' },
  { name: 'marketplace', label: 'Marketplace' },
  { name: 'health', label: 'Health' },
]

/** Shorter times than a second are of interest for databases. */
const seconds = (value: number) => (value < 1 ? `${count(value * 1000)} ms` : span(value))

export function writeFigure({ value, as }: Pick<Figure, 'value' | 'as'>): string {
  if (value === null) return '–'
  switch (as) {
    case 'cents':
      return money(value)
    case 'count':
      return count(value)
    case 'seconds':
      return value === 0 ? '0 s' : seconds(value)
    case 'share':
      return percent(value)
  }
}

const CASES = ['task', 'worker', 'agent', 'po', 'txn', 'dsp']

export const isNumber = ({ as }: Column) =>
  as === 'cents' || as === 'count' || as === 'seconds' || as === 'share'

export function Value({ value, as }: { value: Cell; as: Column['as'] }) {
  if (value === null) return <span className="text-muted">–</span>
  if (as === 'yes') return <>{value === true ? 'Yes' : 'No'}</>
  if (as === 'time') return <Ago at={String(value)} />
  if (as === 'id') {
    const id = String(value)
    return CASES.includes(id.split('_')[0]!) ? (
      <Id id={id} href={addressOf({ id, kind: '' })} />
    ) : (
      <Id id={id} />
    )
  }
  if (as === 'text') return <span dir="auto">{String(value).replaceAll('_', ' ')}</span>
  return <span className="tabular-nums">{writeFigure({ value: Number(value), as })}</span>
}
