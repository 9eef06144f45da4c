import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { AskForMail } from './link-over.tsx'

export function Forgot() {
  const text = useText()
  const { worker, waiting } = useSession()
  return (
    <Page title={text('forgot.title')} back="/login" backLabel={text('shell.back')}>
      <p className="text-muted">{text('forgot.body')}</p>
      <AskForMail purpose="reset" email={worker?.email ?? waiting?.email ?? ''} />
    </Page>
  )
}
