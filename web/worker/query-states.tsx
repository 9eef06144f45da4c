/** Query and action states in the worker's language. */
import { createQueryStates } from '../shared/query-states.tsx'
import { FailedArt } from './art/failed.tsx'
import { problemOf, type Words } from './problems.ts'
import { useText } from './text/use-text.tsx'

export const { ActionError, LoadError, QueryPlaceholder, QueryResult } = createQueryStates<Words>({
  failedPicture: <FailedArt />,
  useWording() {
    const text = useText()
    return {
      loading: text('shell.loading'),
      tryAgain: text('shell.tryAgain'),
      failedTitle: () => text('shell.failedTitle'),
      problemOf: (error, words) => problemOf(error, text, words),
      stale: (at) => text('shell.stale', { time: text.date(at) }),
      reference: (id) => text('shell.reference', { id }),
    }
  },
})
