import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failed } from './failed.tsx'
import { useText } from './text/use-text.tsx'
import { Banner } from './ui/card.tsx'
import { Skeleton } from './ui/states.tsx'

/** The answer to a question: while it comes, when it does not, and when only an older one is there. */
export function Answered<Data>({
  query,
  rows = 3,
  children,
}: {
  query: Pick<
    UseQueryResult<Data>,
    'data' | 'error' | 'isError' | 'isPaused' | 'dataUpdatedAt' | 'refetch'
  >
  rows?: number
  children(data: Data): ReactNode
}) {
  const text = useText()
  const { data, error, isError, dataUpdatedAt, refetch } = query
  if (data === undefined)
    return isError ? (
      <Failed error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton label={text('shell.loading')} rows={rows} />
    )
  return (
    <>
      {isError && (
        <Banner tone="warn">
          {text('shell.stale', { time: text.date(new Date(dataUpdatedAt)) })}
        </Banner>
      )}
      {children(data)}
    </>
  )
}
