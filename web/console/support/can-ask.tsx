/** Tells those who can't ask in the console why, and what to do instead. */
import type { ReactNode } from 'react'
import { Panel } from '../../shared/desk/screen.tsx'
import { TextLink } from '../../shared/desk/text-link.tsx'
import { RequiresScope, useHasScope } from '../scopes.tsx'
import { useConsole } from '../session.tsx'

/** Shows its children to a live agent whose key may ask. */
export function CanAsk({ children }: { children: ReactNode }) {
  const { isTest } = useConsole()
  const isAllowed = useHasScope('manage', 'support')
  if (isTest)
    return (
      <Panel title="Questions are for live mode">
        <p className="text-muted">
          In test mode, nobody reads questions. Log in with a live key to ask. If you don’t have a
          live agent yet, go live first: it’s free and takes a minute.
        </p>
        <TextLink href="/go-live">Go live</TextLink>
        <ContactLink />
      </Panel>
    )
  if (!isAllowed)
    return (
      <Panel title="This key can’t ask questions">
        <RequiresScope scope="manage" right="support">
          {null}
        </RequiresScope>
        <ContactLink />
      </Panel>
    )
  return children
}

export function ContactLink() {
  return (
    <a
      href="/contact"
      className="inline-flex min-h-7 items-center self-start text-sm font-medium text-brand hover:underline"
    >
      Other ways to reach us
    </a>
  )
}

/** A link to the form of a new question. Test mode has nobody to ask. */
export function AskLink({
  about,
  children,
}: {
  about: { task?: string; subject?: string; request?: string; rule?: string }
  children: ReactNode
}) {
  const { isTest } = useConsole()
  const isAllowed = useHasScope('manage', 'support')
  if (isTest || !isAllowed) return null
  return (
    <TextLink href={`/questions/new?${new URLSearchParams(about).toString()}`}>{children}</TextLink>
  )
}
