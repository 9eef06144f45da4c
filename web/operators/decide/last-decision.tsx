/** The operator's last decision, shown above the next case until it is dismissed; `u` undoes it where that is possible. */
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, X } from 'lucide-react'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { Kbd } from '../../shared/ui/kbd.tsx'
import type { Made } from '../api.ts'
import { useKeys } from '../keys.ts'
import { decisionQuery } from '../queries.ts'
import { Undo } from './undo.tsx'

interface Last {
  decisionId: string
  /** The choice's label. */
  label: string
  /** The case's title. */
  title: string
  state: Made['state']
}

interface LastDecision {
  last: Last | undefined
  setLast(last: Last | undefined): void
}

const LastContext = createContext<LastDecision>({ last: undefined, setLast() {} })

export const useLastDecision = () => useContext(LastContext)

export function LastDecisionProvider({ children }: { children: ReactNode }) {
  const [last, setLast] = useState<Last>()
  const value = useMemo(() => ({ last, setLast }), [last])
  return <LastContext value={value}>{children}</LastContext>
}

export function LastDecisionBar() {
  const { last } = useLastDecision()
  return <div role="status">{last !== undefined && <Bar key={last.decisionId} last={last} />}</div>
}

function Bar({ last: { decisionId, label, title, state } }: { last: Last }) {
  const { setLast } = useLastDecision()
  const [isOpen, setIsOpen] = useState(false)
  const { data } = useQuery({ ...decisionQuery(decisionId), retry: false })
  const canUndo = data?.decision.can_undo ?? false
  useKeys(canUndo ? { u: () => setIsOpen(true) } : {})
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border bg-brand-soft px-4 py-1.5 text-sm text-on-brand-soft wide:px-8">
      <CircleCheck size={16} aria-hidden />
      <span className="min-w-0 flex-1 basis-60">
        {state === 'waiting' ? 'Proposed' : 'Decided'}:{' '}
        <span className="font-semibold">{label}</span> · <span dir="auto">{title}</span>
        {state === 'waiting' && '. A second operator must agree.'}
        {state === 'agreed' && '. It is being carried out, and finishes automatically.'}
      </span>
      <Link
        href={`/decisions/${decisionId}`}
        className="inline-flex min-h-7 items-center font-medium underline"
      >
        View
      </Link>
      {canUndo && (
        <Button look="secondary" onPress={() => setIsOpen(true)} aria-keyshortcuts="u">
          Undo… <Kbd>u</Kbd>
        </Button>
      )}
      <IconButton label="Dismiss" onPress={() => setLast(undefined)}>
        <X size={16} aria-hidden />
      </IconButton>
      {isOpen && (
        <Undo
          id={decisionId}
          title={label}
          onDone={() => setLast(undefined)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  )
}
