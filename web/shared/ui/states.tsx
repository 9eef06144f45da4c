import { type ReactNode, useEffect, useState } from 'react'

const PATIENCE_MS = 150

/** A placeholder in the shape of the content, shown only if loading takes a moment. */
export function Skeleton({ label, rows = 3 }: { label: string; rows?: number }) {
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-3">
      {isShown &&
        Array.from({ length: rows }, (_, at) => (
          <div key={at} className="h-32 animate-pulse rounded-card bg-raised" />
        ))}
    </div>
  )
}

/** An empty or failed state: why, and what to do about it. */
export function Empty({
  icon,
  picture,
  title,
  children,
  actions,
  reference,
}: {
  icon?: ReactNode
  /** An illustration, instead of the icon. */
  picture?: ReactNode
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  reference?: ReactNode
}) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-6 text-center">
      {picture}
      {icon !== undefined && (
        <span className="flex size-16 items-center justify-center rounded-full bg-raised text-muted">
          {icon}
        </span>
      )}
      <h2 className="text-title font-bold">{title}</h2>
      {children !== undefined && <p className="max-w-90 text-balance text-muted">{children}</p>}
      {actions !== undefined && (
        <div className="mt-2 flex w-full max-w-90 flex-col gap-2">{actions}</div>
      )}
      {reference !== undefined && <p className="text-sm text-muted">{reference}</p>}
    </div>
  )
}
