/** The account: email, password, devices, language, a copy of the data, closing it. */
import { useQuery } from '@tanstack/react-query'
import { AtSign, Download, KeyRound, MonitorSmartphone, UserRound, UserRoundX } from 'lucide-react'
import { profileQuery } from '../queries.ts'
import { QueryPlaceholder } from '../query-states.tsx'
import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { RowLink, Rows } from './rows.tsx'

export function Account() {
  const text = useText()
  const { worker } = useSession()
  const query = useQuery(profileQuery)
  return (
    <Page title={text('account.title')} back="/me" backLabel={text('me.title')}>
      {query.data ? (
        <Card>
          <div className="flex items-center gap-3">
            <UserRound size={20} aria-hidden className="shrink-0 text-brand" />
            <div className="flex min-w-0 flex-col">
              <span className="text-sm text-muted">{text('account.email')}</span>
              <span className="wrap-anywhere rtl:text-right" dir="auto">
                {query.data.worker.email}
              </span>
            </div>
          </div>
        </Card>
      ) : (
        <QueryPlaceholder query={query} rows={1} />
      )}
      <Rows>
        <RowLink href="/me/email" icon={<AtSign size={20} aria-hidden />}>
          {text('account.changeEmail')}
        </RowLink>
        <RowLink href="/me/password" icon={<KeyRound size={20} aria-hidden />}>
          {text('account.password')}
        </RowLink>
        <RowLink href="/me/devices" icon={<MonitorSmartphone size={20} aria-hidden />}>
          {text('account.devices')}
        </RowLink>
      </Rows>
      <Card>
        <LanguageChoice />
        <p className="text-sm text-muted">{text('account.languageHint')}</p>
      </Card>
      <Rows>
        <RowLink href="/me/data" icon={<Download size={20} aria-hidden />}>
          {text('account.data')}
        </RowLink>
        {/* A test-mode worker is deleted with its agent. */}
        {worker?.mode === 'live' && (
          <RowLink href="/me/close" icon={<UserRoundX size={20} aria-hidden />}>
            {text('account.close')}
          </RowLink>
        )}
      </Rows>
    </Page>
  )
}
