import { NoTasksArt } from './art/no-tasks.tsx'
import { useText } from './text/use-text.tsx'
import { ButtonLink } from '../shared/ui/button.tsx'
import { Page } from '../shared/ui/page.tsx'
import { Empty } from '../shared/ui/states.tsx'

export function NotFound() {
  const text = useText()
  return (
    <Page title={text('shell.notFoundTitle')} isTitleHidden>
      <Empty
        picture={<NoTasksArt />}
        title={text('shell.notFoundTitle')}
        actions={<ButtonLink href="/">{text('shell.toFind')}</ButtonLink>}
      >
        {text('shell.notFoundBody')}
      </Empty>
    </Page>
  )
}
