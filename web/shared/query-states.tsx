/**
 * How a screen shows a query that loads, fails or is stale, and an action that failed. Each app creates these
 * components once, with its own wording.
 */
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Refusal } from './api/client.ts'
import { Button } from './ui/button.tsx'
import { Banner } from './ui/card.tsx'
import { Empty, Skeleton } from './ui/states.tsx'

/** `Overrides`: how a screen replaces the app's message for some errors. */
export interface Wording<Overrides> {
  loading: string
  tryAgain: string
  failedTitle(error: unknown): string
  problemOf(error: unknown, overrides?: Overrides): string
  stale(at: Date, error: unknown): string
  reference(requestId: string): string
}

interface Query<Data> {
  data: Data | undefined
  error: unknown
  dataUpdatedAt: number
  refetch(): unknown
}

export function createQueryStates<Overrides = never>({
  useWording,
  failedPicture,
  canRetry = () => true,
  isForDevelopers = false,
}: {
  useWording(): Wording<Overrides>
  /** Shown above an error, instead of an icon. */
  failedPicture?: ReactNode
  /** False for an error that a second attempt can't change. */
  canRetry?(error: unknown): boolean
  /** Also shows the request id beside a failed action. */
  isForDevelopers?: boolean
}) {
  /** Replaces content that failed to load. */
  function LoadError({ error, onRetry }: { error: unknown; onRetry(): void }) {
    const wording = useWording()
    const id = requestIdOf(error)
    return (
      <div role="alert">
        <Empty
          picture={failedPicture}
          icon={failedPicture === undefined ? <CircleAlert aria-hidden /> : undefined}
          title={wording.failedTitle(error)}
          actions={
            canRetry(error) ? <Button onPress={onRetry}>{wording.tryAgain}</Button> : undefined
          }
          reference={id === undefined ? undefined : wording.reference(id)}
        >
          {wording.problemOf(error)}
        </Empty>
      </div>
    )
  }

  /** Explains beside a button why the action failed; renders nothing without an error. */
  function ActionError({ error, words }: { error: unknown; words?: Overrides }) {
    const wording = useWording()
    if (error === null || error === undefined) return null
    const id = isForDevelopers ? requestIdOf(error) : undefined
    return (
      <Banner
        tone="bad"
        isAlert
        icon={isForDevelopers ? <CircleAlert size={18} aria-hidden /> : undefined}
      >
        {wording.problemOf(error, words)}
        {id !== undefined && <span className="block text-sm">{wording.reference(id)}</span>}
      </Banner>
    )
  }

  /** A query without data yet: loading or failed. */
  function QueryPlaceholder({
    query: { error, refetch },
    rows = 3,
  }: {
    query: Pick<Query<unknown>, 'error' | 'refetch'>
    rows?: number
  }) {
    const wording = useWording()
    return error === null ? (
      <Skeleton label={wording.loading} rows={rows} />
    ) : (
      <LoadError error={error} onRetry={() => void refetch()} />
    )
  }

  /** The data of a query, or its placeholder; a banner above stale data says so. */
  function QueryResult<Data>({
    query,
    rows = 3,
    children,
  }: {
    query: Query<Data>
    rows?: number
    children(data: Data): ReactNode
  }) {
    const wording = useWording()
    const { data, error, dataUpdatedAt } = query
    if (data === undefined) return <QueryPlaceholder query={query} rows={rows} />
    return (
      <>
        {error !== null && (
          <Banner tone="warn">{wording.stale(new Date(dataUpdatedAt), error)}</Banner>
        )}
        {children(data)}
      </>
    )
  }

  return { ActionError, LoadError, QueryPlaceholder, QueryResult }
}

const requestIdOf = (error: unknown): string | undefined =>
  error instanceof Refusal ? error.requestId : undefined
