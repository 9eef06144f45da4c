import { CircleAlert } from 'lucide-react'
import { problemOf, referenceOf, type Words } from './problems.ts'
import { useText } from './text/use-text.tsx'
import { Button } from './ui/button.tsx'
import { Banner } from './ui/card.tsx'
import { Empty } from './ui/states.tsx'

/** What was asked for did not come. */
export function Failed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const text = useText()
  const id = referenceOf(error)
  return (
    <div role="alert">
      <Empty
        icon={<CircleAlert aria-hidden />}
        title={text('shell.failedTitle')}
        actions={<Button onPress={onRetry}>{text('shell.tryAgain')}</Button>}
        reference={id === undefined ? undefined : text('shell.reference', { id })}
      >
        {problemOf(error, text)}
      </Empty>
    </div>
  )
}

/** What was to be done was not, if there is an error: why, beside what was pressed. */
export function NotDone({ error, words }: { error: unknown; words?: Words }) {
  const text = useText()
  if (error === null) return null
  return (
    <Banner tone="bad" isAlert>
      {problemOf(error, text, words)}
    </Banner>
  )
}
