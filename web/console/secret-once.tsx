import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Banner } from '../shared/ui/card.tsx'
import { Code } from '../shared/ui/code.tsx'

/** A secret that is shown only once, since we don't store it. */
export function SecretOnce({
  label,
  secret,
  children,
}: {
  label: string
  secret: string
  children?: ReactNode
}) {
  return (
    <div className="flex flex-col gap-2">
      <Banner tone="warn" icon={<KeyRound size={18} aria-hidden />} title="Shown once">
        Copy it now and store it like a password. We keep only a hash and can’t show it again.
      </Banner>
      <Code label={label}>{secret}</Code>
      {children}
    </div>
  )
}
