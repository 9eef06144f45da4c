/** Short answers to common questions, which work offline, and the way to a person. */
import { MessageCircleQuestion, MessagesSquare } from 'lucide-react'
import { Link } from 'wouter'
import { RowLink, Rows } from '../me/rows.tsx'
import { useText } from '../text/use-text.tsx'
import { Disclosure } from '../../shared/ui/disclosure.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { EmergencyBanner } from './emergency-banner.tsx'
import { GROUPS, TOPICS } from './topics.ts'

/** The server approves work automatically after longer, the more it pays. */
const REVIEWED = { smallCents: 2000, largeCents: 10_000 }

export function Help() {
  const text = useText()
  const values = {
    small: text.money(REVIEWED.smallCents, { isShort: true }),
    large: text.money(REVIEWED.largeCents, { isShort: true }),
    problem: text('active.problem'),
    payouts: text('me.payout'),
    account: text('me.account'),
  }
  return (
    <Page title={text('help.title')} back="/me" backLabel={text('me.title')}>
      <Rows>
        <RowLink href="/me/questions/new" icon={<MessageCircleQuestion size={20} aria-hidden />}>
          {text('ask.title')}
        </RowLink>
        <RowLink href="/me/questions" icon={<MessagesSquare size={20} aria-hidden />}>
          {text('questions.title')}
        </RowLink>
      </Rows>
      {GROUPS.map((group) => (
        <section key={group} className="flex flex-col gap-2">
          <h2 className="text-title font-bold">{text(`help.${group}`)}</h2>
          <ul className="flex flex-col divide-y divide-border rounded-card bg-surface px-4 shadow-card">
            {TOPICS[group].map(({ name, href }) => (
              <li key={name} className="py-1">
                <Disclosure isRow title={text(`help.${name}`)}>
                  <div className="flex flex-col gap-1 pb-2">
                    <p>{text(`help.${name}.answer`, values)}</p>
                    <Link
                      href={href}
                      className="inline-flex min-h-target items-center self-start font-medium text-brand underline"
                    >
                      {text(`help.${name}.link`)}
                    </Link>
                  </div>
                </Disclosure>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <EmergencyBanner />
      <a
        href="/contact"
        className="inline-flex min-h-target items-center self-start font-medium text-brand underline"
      >
        {text('help.contact')}
      </a>
    </Page>
  )
}
