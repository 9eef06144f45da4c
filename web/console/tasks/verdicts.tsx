/** Every decision about a task, each with its effect on money before the click. */
import { useState } from 'react'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { api } from '../api.ts'
import { money } from '../../shared/desk/figures.ts'
import type { TaskDetail } from '../queries.ts'
import { useAction } from '../../shared/desk/use-action.ts'
import { titleOf } from '../words.ts'
import { Confirm } from './confirm.tsx'
import { approvalSays, cancellationSays, disputeSays } from './money-effect.ts'

const CHANGES = ['task', 'tasks', 'stats', 'me', 'wallet', 'events', 'spend']

interface Props {
  task: TaskDetail
  onClose(): void
}

const NAME_MAX = 60
/** The task's title, cut to a line or two. */
const named = (task: TaskDetail) => {
  const title = titleOf(task)
  return title.length > NAME_MAX ? `${title.slice(0, NAME_MAX - 1).trimEnd()}…` : title
}

export const useApproval = (task: TaskDetail, onDone?: () => void) =>
  useAction({
    run: ({ override }: { override?: unknown }, key) =>
      api.post('/tasks/{id}/approve', {
        params: { id: task.id },
        body: override === undefined ? {} : { override_result: override },
        key,
      }),
    changes: CHANGES,
    ...(onDone === undefined ? {} : { onDone }),
  })

export function Approve({ task, onClose }: Props) {
  const action = useApproval(task, onClose)
  return (
    <Confirm
      title={`Approve “${named(task)}”?`}
      effect={approvalSays(task)}
      does="Approve and pay"
      action={action}
      onConfirm={() => action.mutate({})}
      onClose={onClose}
    />
  )
}

const CATEGORIES = [
  { value: 'not_done', label: 'Not done' },
  { value: 'wrong_place', label: 'Wrong place' },
  { value: 'unreadable', label: 'Unreadable' },
  { value: 'spam', label: 'Spam' },
  { value: 'fake', label: 'Fake' },
  { value: 'other', label: 'Something else' },
] as const
type Category = (typeof CATEGORIES)[number]['value']

const EVERYONE = 'all'

export function Dispute({ task, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [category, setCategory] = useState<Category>('not_done')
  const [of, setOf] = useState<string>(EVERYONE)
  const [isMissing, setIsMissing] = useState(false)
  const action = useAction({
    run: (body: { reason: string; category: Category; assignment_ids?: string[] }, key) =>
      api.post('/tasks/{id}/dispute', { params: { id: task.id }, body, key }),
    changes: CHANGES,
    onDone: onClose,
  })
  const problem = isMissing && reason.trim() === '' ? 'Enter a reason' : undefined
  return (
    <Confirm
      title={`Dispute “${named(task)}”`}
      effect={of === EVERYONE ? disputeSays(task) : 'The share of this proof is refunded to you.'}
      does="Dispute and refund"
      isDanger
      action={action}
      problems={{ problem }}
      onConfirm={() => {
        setIsMissing(reason.trim() === '')
        if (reason.trim() !== '')
          action.mutate({
            reason: reason.trim(),
            category,
            ...(of === EVERYONE ? {} : { assignment_ids: [of] }),
          })
      }}
      onClose={onClose}
    >
      <Field
        label="Reason (shown to the worker)"
        hint="Say what’s missing, as you would to a colleague. The worker can appeal within 72 hours, and then a person decides."
        rows={4}
        value={reason}
        onChange={setReason}
        problem={problem}
        maxLength={2000}
        autoFocus
      />
      <Select<Category>
        label="Category"
        value={category}
        options={[...CATEGORIES]}
        onChange={setCategory}
      />
      {task.proofs.length > 1 && (
        <Select
          label="Proof by"
          value={of}
          options={[
            { value: EVERYONE, label: 'All workers' },
            ...task.proofs.map(({ assignment_id, worker }) => ({
              value: assignment_id,
              label: worker.name,
            })),
          ]}
          onChange={setOf}
        />
      )}
    </Confirm>
  )
}

export function AskAgain({ task, onClose }: Props) {
  const [note, setNote] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const [of, setOf] = useState(task.proofs[0]?.assignment_id ?? '')
  const action = useAction({
    run: (body: { note: string; assignment_id?: string }, key) =>
      api.post('/tasks/{id}/request-revision', { params: { id: task.id }, body, key }),
    changes: CHANGES,
    onDone: onClose,
  })
  const problem = isMissing && note.trim() === '' ? 'Describe what to change' : undefined
  return (
    <Confirm
      title="Request a revision"
      effect={`${money(task.escrow_cents)} stays locked, and the worker’s timer restarts. You can do this once per proof.`}
      does="Request revision"
      action={action}
      problems={{ problem }}
      onConfirm={() => {
        setIsMissing(note.trim() === '')
        if (note.trim() !== '')
          action.mutate({
            note: note.trim(),
            ...(task.proofs.length > 1 ? { assignment_id: of } : {}),
          })
      }}
      onClose={onClose}
    >
      <Field
        label="What should the worker change?"
        hint="The worker sees this text."
        rows={4}
        value={note}
        onChange={setNote}
        problem={problem}
        maxLength={2000}
        autoFocus
      />
      {task.proofs.length > 1 && (
        <Select
          label="Proof by"
          value={of}
          options={task.proofs.map(({ assignment_id, worker }) => ({
            value: assignment_id,
            label: worker.name,
          }))}
          onChange={setOf}
        />
      )}
    </Confirm>
  )
}

export function Cancel({ task, onClose }: Props) {
  const action = useAction({
    run: (_: undefined, key) => api.post('/tasks/{id}/cancel', { params: { id: task.id }, key }),
    changes: CHANGES,
    onDone: onClose,
  })
  return (
    <Confirm
      title="Cancel this task?"
      effect={cancellationSays(task)}
      does="Cancel task"
      isDanger
      action={action}
      onConfirm={() => action.mutate(undefined)}
      onClose={onClose}
    />
  )
}

export function Withdraw({ task, onClose }: Props) {
  const action = useAction({
    run: (_: undefined, key) =>
      api.post('/tasks/{id}/dispute/withdraw', { params: { id: task.id }, body: {}, key }),
    changes: CHANGES,
    onDone: onClose,
  })
  return (
    <Confirm
      title="Withdraw your dispute?"
      effect={
        task.dispute?.status === 'held'
          ? 'The worker is paid from escrow, as if you had approved the proof. It can’t be disputed again.'
          : `${money(task.dispute?.refunded_cents ?? 0)} → worker, from your wallet. The work counts as approved, and the worker’s record is restored.`
      }
      does="Withdraw and pay"
      action={action}
      onConfirm={() => action.mutate(undefined)}
      onClose={onClose}
    />
  )
}

export function AnswerAppeal({
  task,
  appealId,
  onClose,
}: Props & {
  appealId: string
}) {
  const [statement, setStatement] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const action = useAction({
    run: (body: { statement: string; appeal_id: string }, key) =>
      api.post('/tasks/{id}/dispute/answer', { params: { id: task.id }, body, key }),
    changes: CHANGES,
    onDone: onClose,
  })
  const problem =
    isMissing && statement.trim() === '' ? 'Explain why your dispute is justified' : undefined
  return (
    <Confirm
      title="Reply to the appeal"
      effect="A person at Legwork reads both sides and decides. If they overturn your dispute, the worker is paid from your wallet."
      does="Send reply"
      action={action}
      problems={{ problem }}
      onConfirm={() => {
        setIsMissing(statement.trim() === '')
        if (statement.trim() !== '')
          action.mutate({ statement: statement.trim(), appeal_id: appealId })
      }}
      onClose={onClose}
    >
      <Field
        label="Your reply"
        rows={4}
        value={statement}
        onChange={setStatement}
        problem={problem}
        maxLength={2000}
        autoFocus
      />
    </Confirm>
  )
}
