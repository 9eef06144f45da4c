/** A list of links to other screens. */
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

export const Rows = ({ children }: { children: ReactNode }) => (
  <ul className="flex flex-col divide-y divide-border rounded-card bg-surface shadow-card">
    {children}
  </ul>
)

export function RowLink({
  href,
  icon,
  children,
}: {
  href: string
  icon: ReactNode
  children: ReactNode
}) {
  return (
    <li>
      <Link href={href} className="flex min-h-14 w-full items-center gap-3 rounded-card px-4 py-2">
        <span className="text-brand">{icon}</span>
        <span className="min-w-0 flex-1 hyphens-auto wrap-anywhere">{children}</span>
        <ChevronRight size={20} aria-hidden className="text-muted rtl:-scale-x-100" />
      </Link>
    </li>
  )
}
