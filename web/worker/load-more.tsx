import { useText } from './text/use-text.tsx'
import { Button } from '../shared/ui/button.tsx'

/** Loads the next page of a list, if there is one. */
export function LoadMore({
  query,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown }
}) {
  const text = useText()
  if (!query.hasNextPage) return null
  return (
    <Button
      look="secondary"
      isPending={query.isFetchingNextPage}
      onPress={() => void query.fetchNextPage()}
    >
      {text('shell.more')}
    </Button>
  )
}
