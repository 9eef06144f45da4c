/** One decision, with what came of it. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'wouter'
import { minute } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { Money } from '../../shared/desk/money.tsx'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Facts, Panel, Screen } from '../../shared/desk/screen.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Code } from '../../shared/ui/code.tsx'
import { Disclosure } from '../../shared/ui/disclosure.tsx'
import type { Decision as Shown } from '../api.ts'
import { decisionQuery } from '../queries.ts'
import { StateTag } from './decisions.tsx'
import { Undo } from './undo.tsx'
import { WaitingDecision } from './waiting-decision.tsx'

export function Decision() {
  const { id } = useParams<{ id: string }>()
  const found = useQuery(decisionQuery(id))
  return (
    <Screen
      title={found.data?.decision.title ?? 'Decision'}
      back={{ href: '/decisions', label: 'Decisions' }}
    >
      <QueryResult query={found}>
        {({ decision }) => (
          <>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted">
              <StateTag state={decision.state} />
              <Id id={decision.id} />
            </div>
            <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
              {decision.state === 'waiting' ? (
                <WaitingDecision id={decision.id} />
              ) : (
                <Reasons decision={decision} />
              )}
              <Details decision={decision} />
            </div>
          </>
        )}
      </QueryResult>
    </Screen>
  )
}

function Reasons({ decision: { id, title, reason, result, can_undo } }: { decision: Shown }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Panel title="Reason">
      <blockquote className="border-s-4 border-border ps-3 whitespace-pre-wrap" dir="auto">
        {reason}
      </blockquote>
      {result !== null && (
        <Disclosure title="Result">
          <Code label="result">{JSON.stringify(result, null, 2)}</Code>
        </Disclosure>
      )}
      {can_undo && (
        <div>
          <Button look="secondary" onPress={() => setIsOpen(true)}>
            Undo…
          </Button>
        </div>
      )}
      {isOpen && (
        <Undo
          id={id}
          title={title}
          onDone={() => setIsOpen(false)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Panel>
  )
}

function Details({ decision }: { decision: Shown }) {
  const { subject, amount_cents, proposed_by, proposed_at, second_by, second_at, ended_at, input } =
    decision
  return (
    <Panel title="Details">
      <Facts
        facts={[
          ['Case', <Id key="case" id={subject} href={`/case/${encodeURIComponent(subject)}`} />],
          ['Amount', amount_cents === null ? '–' : <Money key="amount" cents={amount_cents} />],
          ['Decided by', <bdi key="by">{proposed_by.name}</bdi>],
          ['Decided', minute(proposed_at)],
          ...(second_by === null
            ? []
            : ([['Second operator', <bdi key="second">{second_by.name}</bdi>]] as [
                string,
                React.ReactNode,
              ][])),
          ...(second_at === null ? [] : ([['Answered', minute(second_at)]] as [string, string][])),
          ...(ended_at === null ? [] : ([['Ended', minute(ended_at)]] as [string, string][])),
        ]}
      />
      <Disclosure title="Input">
        <Code label="input">{JSON.stringify(input, null, 2)}</Code>
      </Disclosure>
    </Panel>
  )
}
