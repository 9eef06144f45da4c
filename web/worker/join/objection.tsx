import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, MailCheck, Scale, TimerOff } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { Refusal } from '../../shared/api/client.ts'
import { api } from '../api.ts'
import { QueryResult } from '../query-states.tsx'
import { problemOf } from '../problems.ts'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { Disputes, WHEN } from './objection-disputes.tsx'
import { keptToken, Owed } from './objection-money.tsx'
import type { ShutOut } from './shut-out.ts'

type Decision = ShutOut['decision']

const STATEMENT_MAX = 4000

/** The page of a suspended or closed account, from the link in the email. It works without a session. */
export function Objection() {
  const text = useText()
  const [search] = useSearchParams()
  const token = search.get('token') ?? keptToken()
  const query = useQuery({
    queryKey: ['decision', token],
    queryFn: ({ signal }) => api.get('/worker/objections', { query: { token }, signal }),
  })
  if (isExpired(query.error)) return <Expired />
  const kind = query.data?.decision.kind
  return (
    <Page title={text(kind === undefined ? 'objection.title' : `objection.title_${kind}`)}>
      <QueryResult query={query}>
        {(shutOut) => (
          <>
            <Why decision={shutOut.decision} />
            {shutOut.decision.ended_at === null && (
              <>
                <Owed shutOut={shutOut} token={token} />
                <Disputes disputes={shutOut.disputes} token={token} />
              </>
            )}
            <State decision={shutOut.decision} token={token} />
          </>
        )}
      </QueryResult>
    </Page>
  )
}

const isExpired = (error: unknown) => error instanceof Refusal && error.status === 400

function Expired() {
  const text = useText()
  return (
    <Page title={text('objection.expiredTitle')} isTitleHidden>
      <Empty
        icon={<TimerOff aria-hidden />}
        title={text('objection.expiredTitle')}
        actions={<ButtonLink href="/login">{text('objection.logIn')}</ButtonLink>}
      >
        {text('objection.expiredBody')}
      </Empty>
    </Page>
  )
}

function Why({ decision: { reason, tasks, ends_at, ended_at } }: { decision: Decision }) {
  const text = useText()
  return (
    <Card>
      <h2 className="font-semibold">{text('objection.reason')}</h2>
      <blockquote dir="auto">{reason}</blockquote>
      {tasks.length > 0 && (
        <>
          <h2 className="font-semibold">{text('objection.basedOn')}</h2>
          <ul className="list-disc ps-5">
            {tasks.map(({ id, title }) => (
              <li key={id} dir="auto">
                {title}
              </li>
            ))}
          </ul>
        </>
      )}
      {ended_at === null && (
        <p className="text-muted">
          {ends_at === null
            ? text('objection.noEnd')
            : text('objection.until', { when: text.date(ends_at, WHEN) })}{' '}
          {text('objection.money')}
        </p>
      )}
    </Card>
  )
}

function State({ decision, token }: { decision: Decision; token: string }) {
  const text = useText()
  const note = decision.reply_note !== null && (
    <blockquote dir="auto">{decision.reply_note}</blockquote>
  )
  if (decision.ended_at !== null)
    return (
      <Banner
        tone="good"
        icon={<CircleCheck size={24} aria-hidden />}
        title={text('objection.activeTitle')}
        action={<ButtonLink href="/login">{text('objection.logIn')}</ButtonLink>}
      >
        {note}
      </Banner>
    )
  if (decision.reply === 'upheld')
    return (
      <Banner
        tone="warn"
        icon={<Scale size={24} aria-hidden />}
        title={text('objection.upheldTitle')}
      >
        {note}
      </Banner>
    )
  if (decision.reply_by !== null)
    return (
      <Banner
        tone="good"
        icon={<MailCheck size={24} aria-hidden />}
        title={text('objection.sentTitle')}
      >
        {text('objection.sentBody', { when: text.date(decision.reply_by, WHEN) })}
      </Banner>
    )
  return <Write token={token} />
}

function Write({ token }: { token: string }) {
  const text = useText()
  const client = useQueryClient()
  const [statement, setStatement] = useState('')
  const [missing, setMissing] = useState<string>()
  const send = useMutation({
    mutationFn: () => api.post('/worker/objections', { body: { token, statement } }),
    onSettled: () => client.refetchQueries({ queryKey: ['decision', token] }),
  })
  const problem = missing ?? (send.error ? problemOf(send.error, text) : undefined)
  return (
    <Form
      problems={{ problem }}
      onSubmit={() => {
        const isEmpty = statement.trim() === ''
        setMissing(isEmpty ? text('objection.missing') : undefined)
        if (!isEmpty) send.mutate()
      }}
    >
      <Field
        label={text('objection.ask')}
        hint={text('objection.hint')}
        rows={6}
        maxLength={STATEMENT_MAX}
        value={statement}
        onChange={(typed) => {
          setStatement(typed)
          setMissing(undefined)
          if (send.error) send.reset()
        }}
        problem={problem}
      />
      <Button type="submit" isWide isPending={send.isPending}>
        {text('objection.send')}
      </Button>
    </Form>
  )
}
