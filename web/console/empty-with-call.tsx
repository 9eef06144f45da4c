import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Code } from '../shared/ui/code.tsx'
import { Empty } from '../shared/ui/states.tsx'
import { meQuery } from './queries.ts'
import { type Call, curlOf } from './samples.ts'

export const API_BASE = `${location.origin}/api/v1`

/** An empty list: what would be in it, and the API call that adds the first entry. */
export function EmptyWithCall({
  icon,
  title,
  children,
  call,
  actions,
}: {
  icon?: ReactNode
  title: string
  children: ReactNode
  call?: Call
  actions?: ReactNode
}) {
  return (
    <div className="flex flex-col">
      <Empty title={title} icon={icon} actions={actions}>
        {children}
      </Empty>
      {call !== undefined && (
        <div className="mx-auto flex w-full max-w-160 flex-col gap-2 px-4 pb-6">
          <KeyHint />
          <Code label="call">{curlOf(call, API_BASE)}</Code>
        </div>
      )}
    </div>
  )
}

/** The browser doesn't have the full key, only its prefix. */
export function KeyHint() {
  const prefix = useQuery(meQuery).data?.key.prefix
  return (
    <p className="text-sm text-muted">
      <code className="font-mono">$LEGWORK_API_KEY</code> is your key
      {prefix !== undefined && (
        <>
          {' '}
          <code className="font-mono">{prefix}…</code>
        </>
      )}
      .
    </p>
  )
}
