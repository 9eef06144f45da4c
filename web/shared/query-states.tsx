import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failed } from './failed.tsx'
import { useText } from './text/use-text.tsx'
import { Banner } from './ui/card.tsx'
import { Skeleton } from './ui/states.tsx'

/** Before there is any answer to a question: it comes, or it did not. */
export function Awaited({
  query: { error, refetch },
  rows = 3,
}: {
  query: Pick<UseQueryResult, 'error' | 'refetch'>
  rows?: number
}) {
  const text = useText()
  return error === null ? (
    <Skeleton label={text('shell.loading')} rows={rows} />
  ) : (
    <Failed error={error} onRetry={() => void refetch()} />
  )
}

/** The answer to a question: while it comes, when it does not, and when only an older one is there. */
export function Answered<Data>({
  query,
  rows = 3,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'dataUpdatedAt' | 'refetch'>
  rows?: number
  children(data: Data): ReactNode
}) {
  const text = useText()
  const { data, error, dataUpdatedAt } = query
  if (data === undefined) return <Awaited query={query} rows={rows} />
  return (
    <>
      {error !== null && (
        <Banner tone="warn">
          {text('shell.stale', { time: text.date(new Date(dataUpdatedAt)) })}
        </Banner>
      )}
      {children(data)}
    </>
  )
}
