/** A decision that waits for a second operator: what the first one decided and why, and the choice to agree or decline. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Ago } from '../../shared/desk/ago.tsx'
import { Money } from '../../shared/desk/money.tsx'
import { ActionError, QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel } from '../../shared/desk/screen.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Kbd } from '../../shared/ui/kbd.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { api, type Decision, type Effect as DecisionEffect } from '../api.ts'
import { useDraft } from '../drafts.ts'
import { Due } from '../due.tsx'
import { useKeys } from '../keys.ts'
import { decisionQuery } from '../queries.ts'
import { useDesk } from '../session.tsx'
import { Effect } from './effect.tsx'
import { REASON_MIN } from './reason.tsx'

export const CHANGED_BY_DECISIONS = ['queues', 'queue', 'case', 'decisions', 'decision']

export function WaitingDecision({ id, onNext }: { id: string; onNext?: (() => void) | undefined }) {
  const found = useQuery(decisionQuery(id))
  return (
    <Panel title="Waits for a second operator">
      <QueryResult query={found} rows={1}>
        {({ decision, effect }) => <Proposal decision={decision} effect={effect} onNext={onNext} />}
      </QueryResult>
    </Panel>
  )
}

function Proposal({
  decision,
  effect,
  onNext,
}: {
  decision: Decision
  effect: DecisionEffect | null
  onNext: (() => void) | undefined
}) {
  const { operator, can } = useDesk()
  const { title, reason, amount_cents, proposed_by, proposed_at, expires_at, state } = decision
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 font-semibold">
        <span>{title}</span>
        {amount_cents !== null && <Money cents={amount_cents} />}
      </p>
      <div className="flex flex-col gap-1">
        <span className="text-sm text-muted">
          <bdi className="font-medium text-text">{proposed_by.name}</bdi> · <Ago at={proposed_at} />
        </span>
        <blockquote className="border-s-4 border-border ps-3 whitespace-pre-wrap" dir="auto">
          {reason}
        </blockquote>
      </div>
      {effect === null ? (
        <p className="text-muted">It can’t be carried out at the moment.</p>
      ) : (
        <Effect effect={effect} />
      )}
      {state === 'waiting' && (
        <>
          <p className="flex flex-wrap gap-x-2 text-sm text-muted">
            Without an answer, it lapses: <Due at={expires_at} />
          </p>
          {proposed_by.id === operator.id && <Own decision={decision} />}
          {proposed_by.id !== operator.id && can(decision.right) && (
            <Answer decision={decision} onNext={onNext} />
          )}
          {proposed_by.id !== operator.id && !can(decision.right) && (
            <p className="text-sm text-muted">Your role doesn’t include this decision.</p>
          )}
        </>
      )}
    </div>
  )
}

function Own({ decision: { id } }: { decision: Decision }) {
  const withdraw = useAction({
    run: () => api.post('/decisions/{id}/withdraw', { params: { id }, body: {} }),
    changes: CHANGED_BY_DECISIONS,
  })
  return (
    <>
      <p className="text-sm text-muted">You proposed it, so somebody else must agree.</p>
      <ActionError error={withdraw.error} />
      <div>
        <Button
          look="secondary"
          isPending={withdraw.isPending}
          onPress={() => withdraw.mutate(undefined)}
        >
          Withdraw
        </Button>
      </div>
    </>
  )
}

/** `1` chooses to agree and `2` to decline; both ask again before they do it. */
function Answer({
  decision: { id, title },
  onNext,
}: {
  decision: Decision
  onNext: (() => void) | undefined
}) {
  const [open, setOpen] = useState<'agree' | 'decline'>()
  useKeys({ '1': () => setOpen('agree'), '2': () => setOpen('decline') })
  const agree = useAction({
    run: () => api.post('/decisions/{id}/agree', { params: { id }, body: {} }),
    changes: CHANGED_BY_DECISIONS,
    onDone: () => onNext?.(),
  })
  return (
    <div className="flex flex-wrap gap-2">
      <Button onPress={() => setOpen('agree')} aria-keyshortcuts="1">
        Agree <Kbd>1</Kbd>
      </Button>
      <Button look="secondary" onPress={() => setOpen('decline')} aria-keyshortcuts="2">
        Decline <Kbd>2</Kbd>
      </Button>
      {open === 'agree' && (
        <Sheet
          title={`Agree: ${title}`}
          closeLabel="Close"
          isOpen
          onClose={() => setOpen(undefined)}
        >
          <p>It is carried out at once, with your name beside the first operator’s.</p>
          <ActionError error={agree.error} />
          <div className="flex flex-wrap gap-2">
            <Button autoFocus isPending={agree.isPending} onPress={() => agree.mutate(undefined)}>
              Agree
            </Button>
            <Button look="secondary" onPress={() => setOpen(undefined)}>
              Go back
            </Button>
          </div>
        </Sheet>
      )}
      {open === 'decline' && (
        <Decline id={id} title={title} onDone={onNext} onClose={() => setOpen(undefined)} />
      )}
    </div>
  )
}

function Decline({
  id,
  title,
  onDone,
  onClose,
}: {
  id: string
  title: string
  onDone: (() => void) | undefined
  onClose(): void
}) {
  const [reason, setReason] = useDraft(`decline ${id}`)
  const [isTried, setIsTried] = useState(false)
  const decline = useAction({
    run: (text: string) =>
      api.post('/decisions/{id}/decline', { params: { id }, body: { reason: text } }),
    changes: CHANGED_BY_DECISIONS,
    onDone() {
      setReason('')
      onDone?.()
    },
  })
  const isMissing = reason.trim().length < REASON_MIN
  const problem = isTried && isMissing ? 'Enter a reason' : undefined
  return (
    <Sheet title={`Decline: ${title}`} closeLabel="Close" isOpen onClose={onClose}>
      <Form
        problems={{ problem }}
        onSubmit={() => {
          setIsTried(true)
          if (!isMissing) decline.mutate(reason.trim())
        }}
      >
        <Field
          label="Reason"
          hint="The first operator sees it. The case is open again."
          rows={3}
          autoFocus
          maxLength={500}
          value={reason}
          onChange={setReason}
          problem={problem}
        />
        <ActionError error={decline.error} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" isPending={decline.isPending}>
            Decline
          </Button>
          <Button look="secondary" onPress={onClose}>
            Go back
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}
