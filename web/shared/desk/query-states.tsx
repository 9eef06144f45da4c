import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Refusal, Unreachable } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { Banner } from '../ui/card.tsx'
import { Empty, Skeleton } from '../ui/states.tsx'
import { clockTime } from './figures.ts'

/** What the server says, which is written for developers, or that nobody has said anything. */
export function problemOf(error: unknown): string {
  if (error instanceof Unreachable)
    return 'The server can’t be reached. Nothing is lost; try again when you have a network.'
  if (!(error instanceof Refusal)) return 'This screen has failed. Load the page again.'
  if (error.status === 429)
    return `That was too often. Try again in ${error.retryAfterSeconds ?? 60} s.`
  if (isBeyond(error))
    return `This needs a key with the scope ${String(error.extra.required_scope)}. Sign in with another one.`
  const details = Object.entries(error.fields).map(([path, message]) => `${path} ${message}`)
  return details.length > 0 ? `${error.message}: ${details.join('; ')}.` : error.message
}

/** The key of this session will never be let: trying again can’t help. */
const isBeyond = (error: unknown) => error instanceof Refusal && error.code === 'key_scope'

const referenceOf = (error: unknown) =>
  error instanceof Refusal && error.requestId !== undefined
    ? `Reference ${error.requestId}`
    : undefined

export function Failed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <div role="alert">
      <Empty
        icon={<CircleAlert aria-hidden />}
        title={isBeyond(error) ? 'Not with this key' : 'This did not load'}
        actions={isBeyond(error) ? undefined : <Button onPress={onRetry}>Try again</Button>}
        reference={referenceOf(error)}
      >
        {problemOf(error)}
      </Empty>
    </div>
  )
}

/** What was to be done was not, if there is an error: why, beside what was pressed. */
export function NotDone({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null
  const reference = referenceOf(error)
  return (
    <Banner tone="bad" isAlert icon={<CircleAlert size={18} aria-hidden />}>
      {problemOf(error)}
      {reference !== undefined && <span className="block text-sm">{reference}</span>}
    </Banner>
  )
}

/** Of one page or of many. */
interface Question<Data> {
  data: Data | undefined
  error: unknown
  dataUpdatedAt: number
  refetch(): unknown
}

/** Before there is any answer to a question: it comes, or it did not. */
export function Awaited({
  query: { error, refetch },
  rows = 3,
}: {
  query: Pick<Question<unknown>, 'error' | 'refetch'>
  rows?: number
}) {
  return error === null ? (
    <Skeleton label="Loading" rows={rows} />
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
  query: Question<Data>
  rows?: number
  children(data: Data): ReactNode
}) {
  const { data, error, dataUpdatedAt } = query
  if (data === undefined) return <Awaited query={query} rows={rows} />
  return (
    <>
      {error !== null && (
        <Banner tone="warn">
          This is as of {clockTime(new Date(dataUpdatedAt).toISOString())}. {problemOf(error)}
        </Banner>
      )}
      {children(data)}
    </>
  )
}
