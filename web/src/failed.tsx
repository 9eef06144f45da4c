import { CircleAlert } from 'lucide-react'
import { problemOf, referenceOf } from './problems.ts'
import { useText } from './text/use-text.tsx'
import { Button } from './ui/button.tsx'
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
        {...(id === undefined ? {} : { reference: text('shell.reference', { id }) })}
      >
        {problemOf(error, text)}
      </Empty>
    </div>
  )
}
