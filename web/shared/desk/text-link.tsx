import type { ReactNode } from 'react'
import { Link } from 'wouter'

/** A standalone secondary link. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      href={href}
      className="inline-flex min-h-7 items-center self-start text-sm font-medium text-brand hover:underline"
    >
      {children}
    </Link>
  )
}
