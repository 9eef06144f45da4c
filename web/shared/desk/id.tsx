import { Link } from 'wouter'
import { CopyButton } from '../ui/code.tsx'

const SHOWN = 9

/** `task_…7h2k9`: ids differ at their ends, hardly at their beginnings. */
export const shortId = (id: string) => {
  const [prefix, rest = ''] = id.split('_', 2)
  return rest.length > SHOWN ? `${prefix}_…${rest.slice(-SHOWN)}` : id
}

/** A shortened id in monospace; the tooltip has all of it. */
export function Id({ id, href }: { id: string; href?: string }) {
  const short = (
    <span title={id} className="font-mono text-sm wide:whitespace-nowrap">
      {shortId(id)}
    </span>
  )
  return href === undefined ? (
    <span className="inline-flex max-w-full flex-wrap items-center gap-1">
      {short}
      <CopyButton text={id} label={`Copy ${shortId(id)}`} />
    </span>
  ) : (
    <Link
      href={href}
      aria-label={`Open ${shortId(id)}`}
      className="inline-flex min-h-7 items-center text-brand hover:underline"
    >
      {short}
    </Link>
  )
}
