/** Problems with a task: the options, and what each costs. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye, Flag, MessageCircleQuestion, ShieldAlert, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { QueryPlaceholder } from '../query-states.tsx'
import { api } from '../api.ts'
import { dropDraft } from '../phone/draft-store.ts'
import { useDraft } from '../phone/use-draft.ts'
import { problemOf } from '../problems.ts'
import { type TextId, useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { BigChoice } from '../../shared/ui/choice.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { useNow } from '../../shared/use-now.ts'
import { foundCents } from './proof-rules.ts'
import { type Work, workQuery } from './queries.ts'

type Way = 'found' | 'unsafe' | 'back' | 'report'
const KINDS = ['illegal', 'abusive', 'dangerous', 'scam', 'other'] as const
type Kind = (typeof KINDS)[number]

/** Releasing a task is free for this long; the server decides. */
const FREE_MS = 5 * 60_000

export function Problem() {
  const text = useText()
  const { id } = useParams<{ id: string }>()
  const query = useQuery(workQuery(id))
  if (query.data !== undefined) return <Ways work={query.data} />
  return (
    <Page title={text('active.problem')} back={`/active/${id}`} backLabel={text('shell.back')}>
      <QueryPlaceholder query={query} />
    </Page>
  )
}

function Ways({ work: { task, assignment } }: { work: Work }) {
  const text = useText()
  const client = useQueryClient()
  const [, go] = useLocation()
  const hand = useDraft(task.id)
  const [way, setWay] = useState<Way | null>(null)
  const [kind, setKind] = useState<Kind | null>(null)
  const [note, setNote] = useState('')
  const [key] = useState(() => crypto.randomUUID())
  const isFree = useNow(1000) - Date.parse(assignment.accepted_at) < FREE_MS

  const leave = useMutation({
    async mutationFn() {
      const about = { taskId: task.id, note: note.trim(), key }
      if (way === 'report') await report(kind!, about)
      else await (way === 'unsafe' ? leaveUnsafe(about) : release(about))
      if (hand) await dropDraft(hand.draft)
      await client.invalidateQueries({ queryKey: ['work'] })
    },
    onSuccess() {
      if (way !== 'report') go(way === 'unsafe' ? `/active/${task.id}` : '/active')
    },
  })
  const foundIt = () => {
    hand?.change({ outcome: 'not_possible' })
    go(`/active/${task.id}?found`)
  }

  if (assignment.status !== 'accepted' && !leave.isPending)
    return (
      <Page title={text('active.problem')} back="/active" backLabel={text('nav.active')}>
        <Banner tone={leave.isSuccess ? 'good' : 'info'}>
          {text(leave.isSuccess ? 'active.report.thanks' : 'problem.assignmentEnded')}
        </Banner>
        <AskPerson taskId={task.id} />
      </Page>
    )
  return (
    <Page
      title={text('active.problem')}
      back={`/active/${task.id}`}
      backLabel={text('shell.back')}
      footer={
        way === null ? undefined : (
          <>
            {leave.isError && (
              <p role="alert" className="text-sm font-semibold text-danger">
                {problemOf(leave.error, text)}
              </p>
            )}
            <Button
              isWide
              look={way === 'found' ? 'primary' : 'danger'}
              isPending={leave.isPending}
              isDisabled={way === 'report' && kind === null}
              onPress={() => (way === 'found' ? foundIt() : leave.mutate())}
            >
              {text(`active.problem.${way}Do`)}
            </Button>
          </>
        )
      }
    >
      <BigChoice<Way>
        label={text('active.problem.question')}
        value={way}
        onChange={setWay}
        options={(['found', 'unsafe', 'back', 'report'] as const).map((value) => ({
          value,
          label: <Option way={value}>{text(`active.problem.${value}`)}</Option>,
          hint: text(hintOf(value, isFree), {
            money: text.money(foundCents(assignment)),
          }),
        }))}
      />
      {way === 'report' && (
        <BigChoice<Kind>
          label={text('active.report.kind')}
          value={kind}
          onChange={setKind}
          columns={2}
          options={KINDS.map((value) => ({ value, label: text(`active.report.${value}`) }))}
        />
      )}
      {way !== null && way !== 'found' && <Note way={way} note={note} onChange={setNote} />}
      <AskPerson taskId={task.id} />
    </Page>
  )
}

function Note({
  way,
  note,
  onChange,
}: {
  way: Exclude<Way, 'found'>
  note: string
  onChange: (note: string) => void
}) {
  const text = useText()
  return (
    <Field
      label={text(`active.${way}.note`)}
      hint={text(`active.${way}.noteHint`)}
      rows={3}
      maxLength={way === 'back' ? 500 : 2000}
      value={note}
      onChange={onChange}
    />
  )
}

function AskPerson({ taskId }: { taskId: string }) {
  const text = useText()
  return (
    <ButtonLink look="quiet" href={`/me/questions/new?task=${taskId}`}>
      <MessageCircleQuestion size={20} aria-hidden />
      {text('ask.title')}
    </ButtonLink>
  )
}

interface About {
  taskId: string
  /** Empty if the worker wrote nothing. */
  note: string
  key: string
}

function report(kind: Kind, { taskId, note, key }: About) {
  return api.post('/worker/tasks/{id}/report', {
    params: { id: taskId },
    body: { kind, ...(note === '' ? {} : { note }) },
    key,
  })
}

function release({ taskId, note, key }: About) {
  return api.post('/worker/tasks/{id}/release', {
    params: { id: taskId },
    body: note === '' ? {} : { reason: note },
    key,
  })
}

function leaveUnsafe({ taskId, note, key }: About) {
  return api.post('/worker/tasks/{id}/unsafe', {
    params: { id: taskId },
    body: note === '' ? {} : { reason: note },
    key,
  })
}

const ICONS = { found: Eye, unsafe: ShieldAlert, back: Undo2, report: Flag }

function Option({ way, children }: { way: Way; children: ReactNode }) {
  const Icon = ICONS[way]
  return (
    <span className="flex items-center gap-2">
      <Icon size={20} aria-hidden />
      {children}
    </span>
  )
}

function hintOf(way: Way, isFree: boolean): TextId {
  if (way === 'back') return isFree ? 'active.problem.backFree' : 'active.problem.backCosts'
  return `active.problem.${way}Hint`
}
