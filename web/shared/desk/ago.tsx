import { ago, moment } from './figures.ts'
import { useNow } from '../use-now.ts'

/** Relative time, with the exact time as tooltip. */
export function Ago({ at }: { at: string }) {
  const now = useNow(10_000)
  return (
    <time dateTime={at} title={moment(at)} className="whitespace-nowrap">
      {ago(at, now)}
    </time>
  )
}
