/** The actions that a task's state allows. */
import { useState } from 'react'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { Ago } from '../../shared/desk/ago.tsx'
import { ActionError } from '../../shared/desk/query-states.tsx'
import { minute, money } from '../../shared/desk/figures.ts'
import { RequiresScope } from '../scopes.tsx'
import type { TaskDetail } from '../queries.ts'
import { Facts, Panel } from '../../shared/desk/screen.tsx'
import { AskLink } from '../support/can-ask.tsx'
import { EffectLine } from './confirm.tsx'
import { dueOf, unanswered } from './due.ts'
import { approvalSays } from './money-effect.ts'
import { AnswerAppeal, AskAgain, Cancel, Dispute, useApproval, Withdraw } from './verdicts.tsx'

export function Decide({ task }: { task: TaskDetail }) {
  return (
    <>
      {task.status === 'proof_submitted' && task.decides_by === null && <Verdict task={task} />}
      {['pending', 'in_progress'].includes(task.status) && <Underway task={task} />}
      {task.dispute !== undefined && <Disputed task={task} dispute={task.dispute} />}
      {task.settlement !== null && <Settled settlement={task.settlement} by={task.approved_by} />}
    </>
  )
}

function Verdict({ task }: { task: TaskDetail }) {
  const [open, setOpen] = useState<'dispute' | 'again'>()
  const action = useApproval(task)
  const due = dueOf(task)
  const hasConflict = task.consensus?.conflict === true
  return (
    <Panel title="Review">
      {hasConflict ? (
        <p className="text-muted">The answers disagree. Choose the correct result to approve.</p>
      ) : (
        <EffectLine>{approvalSays(task)}</EffectLine>
      )}
      <RequiresScope scope="review">
        <div className="flex flex-wrap gap-2">
          {!hasConflict && (
            <Button isPending={action.isPending} onPress={() => action.mutate({})}>
              Approve
            </Button>
          )}
          <Button look="secondary" onPress={() => setOpen('again')}>
            Request revision…
          </Button>
          <Button look="secondary" onPress={() => setOpen('dispute')}>
            Dispute…
          </Button>
        </div>
      </RequiresScope>
      <ActionError error={action.error} />
      {due !== undefined && (
        <p className="text-sm text-muted">
          If you don’t respond, it’s approved and paid <Ago at={due} />.
        </p>
      )}
      {open === 'dispute' && <Dispute task={task} onClose={() => setOpen(undefined)} />}
      {open === 'again' && <AskAgain task={task} onClose={() => setOpen(undefined)} />}
    </Panel>
  )
}

function Underway({ task }: { task: TaskDetail }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Panel title={task.status === 'pending' ? 'Looking for a person' : 'A person is working on it'}>
      <p className="text-muted">
        The deadline is <Ago at={task.deadline} />. If it isn’t done by then, you’re refunded.
      </p>
      <RequiresScope scope="review">
        <div>
          <Button look="secondary" onPress={() => setIsOpen(true)}>
            Cancel task…
          </Button>
        </div>
      </RequiresScope>
      {isOpen && <Cancel task={task} onClose={() => setIsOpen(false)} />}
    </Panel>
  )
}

function Disputed({ task, dispute }: { task: TaskDetail; dispute: DisputeOf }) {
  const [open, setOpen] = useState<string>()
  const waiting = unanswered(dispute)
  const isOpen = ['open', 'held'].includes(dispute.status)
  return (
    <Panel title="Dispute">
      <blockquote className="border-s-4 border-border ps-3 whitespace-pre-wrap" dir="auto">
        {dispute.reason}
      </blockquote>
      <Facts
        facts={[
          ['Status', stateOf(dispute, waiting?.agent_until)],
          ['Refunded', money(dispute.refunded_cents)],
          ...(dispute.debited_cents > 0
            ? ([['Charged', money(dispute.debited_cents)]] as [string, string][])
            : []),
        ]}
      />
      {dispute.appeals.map((appeal) => (
        <div key={appeal.id} className="flex flex-col gap-2 rounded-field bg-raised p-3">
          <span className="text-sm text-muted">
            The worker appealed <Ago at={appeal.created_at} />
          </span>
          <p className="whitespace-pre-wrap" dir="auto">
            {appeal.statement}
          </p>
          {appeal.agent_answer !== null && (
            <p>
              Your reply: <span dir="auto">{appeal.agent_answer}</span>
            </p>
          )}
          {appeal.ruling !== null && (
            <p>
              Decision: <strong>{appeal.ruling}</strong>{' '}
              {appeal.ruling_note !== null && <span dir="auto">{appeal.ruling_note}</span>}
            </p>
          )}
        </div>
      ))}
      {dispute.decision_note !== null && (
        <p>
          Operator’s reason: <span dir="auto">{dispute.decision_note}</span>
        </p>
      )}
      {isDecidedByOperator(dispute) && (
        <AskLink about={{ subject: 'dispute', task: task.id }}>Object to this decision</AskLink>
      )}
      {dispute.status === 'held' && dispute.decides_by !== null && (
        <Banner tone="warn">
          You disputed a large share of the work you reviewed in the last 24 hours, so an operator
          decides on this dispute first. If nobody decides, the worker is paid{' '}
          <Ago at={dispute.decides_by} />.
        </Banner>
      )}
      {waiting !== undefined && (
        <Banner tone="warn">
          Reply or withdraw the dispute. If you don’t, the worker wins the appeal{' '}
          <Ago at={waiting.agent_until} />.
        </Banner>
      )}
      {isOpen && (
        <RequiresScope scope="review">
          <div className="flex flex-wrap gap-2">
            {waiting !== undefined && (
              <Button onPress={() => setOpen(waiting.id)}>Reply to appeal…</Button>
            )}
            <Button look="secondary" onPress={() => setOpen('withdraw')}>
              Withdraw dispute…
            </Button>
          </div>
        </RequiresScope>
      )}
      {open === 'withdraw' && <Withdraw task={task} onClose={() => setOpen(undefined)} />}
      {open !== undefined && open !== 'withdraw' && (
        <AnswerAppeal task={task} appealId={open} onClose={() => setOpen(undefined)} />
      )}
    </Panel>
  )
}

type DisputeOf = NonNullable<TaskDetail['dispute']>

const isDecidedByOperator = ({ status }: DisputeOf) =>
  ['rejected', 'upheld', 'overturned', 'split'].includes(status)

function stateOf({ status, appeals }: DisputeOf, answerUntil: string | undefined): string {
  if (status !== 'open') return DISPUTES[status]
  if (answerUntil !== undefined) return `Appealed, reply by ${minute(answerUntil)}`
  return appeals.some(({ ruling }) => ruling === null)
    ? 'Appealed, an operator decides'
    : DISPUTES.open
}

const DISPUTES: Record<DisputeOf['status'], string> = {
  open: 'Final unless the worker appeals',
  held: 'On hold, an operator decides',
  rejected: 'Rejected by an operator, the worker is paid',
  lapsed: 'Not decided in time, the worker is paid',
  withdrawn: 'Withdrawn by you',
  upheld: 'Upheld by an operator',
  overturned: 'Overturned, the worker was paid',
  split: 'Split, the worker was paid in part',
}

const APPROVERS = {
  agent: 'You',
  auto: 'Automatically, because you didn’t respond',
  operator: 'An operator',
}

function Settled({
  settlement: { gross_cents, commission_cents, refunded_cents, workers },
  by,
}: {
  settlement: NonNullable<TaskDetail['settlement']>
  by: TaskDetail['approved_by']
}) {
  return (
    <Panel title="Settlement">
      <Facts
        facts={[
          ...(by === null ? [] : ([['Approved by', APPROVERS[by]]] as [string, string][])),
          ['Paid', money(gross_cents)],
          [
            workers.length === 1 ? 'To the worker' : `To ${workers.length} workers`,
            workers.map(({ net_cents }) => money(net_cents)).join(', ') || '–',
          ],
          ['Fee', money(commission_cents)],
          ...(refunded_cents > 0
            ? ([['Refunded', money(refunded_cents)]] as [string, string][])
            : []),
        ]}
      />
    </Panel>
  )
}
