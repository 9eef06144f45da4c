import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  Banknote,
  CalendarClock,
  CircleCheck,
  Landmark,
  ListChecks,
  SearchX,
  UserRoundX,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Refusal } from '../../shared/api/client.ts'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Banner, Card } from '../../shared/ui/card.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { api } from '../api.ts'
import { PasswordField } from '../join/password-field.tsx'
import { problemOf } from '../problems.ts'
import { ActionError, QueryResult } from '../query-states.tsx'
import { type Text, useText } from '../text/use-text.tsx'
import { applyClosing, type Closing, closingQuery, useKeepAccount } from './closing.ts'

/** Closes the account: what happens when, what is erased and kept, and how to keep it. */
export function AccountClose() {
  const text = useText()
  const query = useQuery({ ...closingQuery, refetchOnMount: 'always' })
  const keep = useKeepAccount()
  return (
    <Page title={text('account.close')} back="/me/account" backLabel={text('account.title')}>
      <QueryResult query={query} rows={2}>
        {({ closing }) =>
          closing.closes_at !== null ? (
            <BeingClosed closing={closing} closesAt={closing.closes_at} keep={keep} />
          ) : keep.isSuccess ? (
            <Banner
              tone="good"
              icon={<CircleCheck size={24} aria-hidden />}
              title={text('closing.kept')}
            >
              {text('closing.keptBody')}
            </Banner>
          ) : (
            <BeforeClosing closing={closing} />
          )
        }
      </QueryResult>
    </Page>
  )
}

function BeforeClosing({ closing }: { closing: Closing }) {
  const text = useText()
  return (
    <>
      <Card>
        <Fact icon={<CalendarClock size={20} aria-hidden />}>
          {text('account.closeWhen', { days: closing.grace_days })}
        </Fact>
        <Fact icon={<SearchX size={20} aria-hidden />}>{text('account.closeTasks')}</Fact>
        <Fact icon={<Banknote size={20} aria-hidden />}>{text('account.closeMoney')}</Fact>
      </Card>
      <Card>
        <h2 className="font-semibold">{text('account.closeErased')}</h2>
        <p>{text('account.closeErasedBody')}</p>
        <h2 className="font-semibold">{text('account.closeKept')}</h2>
        <p>{text('account.closeKeptBody')}</p>
        <ButtonLink look="quiet" href="/me/data">
          {text('account.data')}
        </ButtonLink>
      </Card>
      <Owed closing={closing} />
      {closing.tasks_in_progress > 0 ? <Busy count={closing.tasks_in_progress} /> : <Confirm />}
    </>
  )
}

const Fact = ({ icon, children }: { icon: ReactNode; children: string }) => (
  <div className="flex items-start gap-3">
    <span className="mt-0.5 shrink-0 text-brand">{icon}</span>
    <p className="min-w-0 flex-1">{children}</p>
  </div>
)

function Owed({ closing: { owed_cents, payout_status } }: { closing: Closing }) {
  const text = useText()
  if (owed_cents === 0) return null
  const money = text.money(owed_cents)
  if (payout_status === 'active' || payout_status === 'pending_verification')
    return (
      <Banner tone="info" icon={<Banknote size={20} aria-hidden />}>
        {text('account.closeOwed', { money })}
      </Banner>
    )
  return (
    <Banner
      tone="warn"
      icon={<Landmark size={20} aria-hidden />}
      title={text('account.closeNoBank')}
      action={
        <div className="flex flex-wrap">
          <ButtonLink look="quiet" href="/payout">
            {text('account.closeAddBank')}
          </ButtonLink>
        </div>
      }
    >
      {text('account.closeNoBankBody', { money })}
    </Banner>
  )
}

function Busy({ count }: { count: number }) {
  const text = useText()
  return (
    <Banner
      tone="warn"
      icon={<ListChecks size={20} aria-hidden />}
      title={text('account.closeBusy', { count })}
      action={
        <div className="flex flex-wrap">
          <ButtonLink look="quiet" href="/active">
            {text('account.closeToTasks')}
          </ButtonLink>
        </div>
      }
    >
      {text('account.closeBusyBody')}
    </Banner>
  )
}

function Confirm() {
  const text = useText()
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const close = useMutation({
    mutationFn: () => api.post('/worker/close', { body: { current_password: password } }),
    onSuccess: (closing) => applyClosing(client, closing),
  })
  const problem = close.error === null ? undefined : problemIn(close.error, text)
  return (
    <>
      <p className="text-muted">{text('account.closeConfirm')}</p>
      <Form
        problems={problem === undefined ? {} : { password: problem }}
        onSubmit={() => close.mutate()}
      >
        <PasswordField
          label={text('account.currentPassword')}
          value={password}
          onChange={(typed) => {
            setPassword(typed)
            if (close.error) close.reset()
          }}
          problem={problem}
        />
        <Button
          type="submit"
          look="danger"
          isWide
          isDisabled={password === ''}
          isPending={close.isPending}
        >
          {text('account.closeDo')}
        </Button>
      </Form>
    </>
  )
}

const problemIn = (error: unknown, text: Text) =>
  error instanceof Refusal && error.code === 'wrong_password'
    ? text('account.wrongPassword')
    : problemOf(error, text, { tasks_in_progress: 'account.closeBusyBody' })

function BeingClosed({
  closing,
  closesAt,
  keep,
}: {
  closing: Closing
  closesAt: string
  keep: ReturnType<typeof useKeepAccount>
}) {
  const text = useText()
  const isDue = Date.parse(closesAt) <= Date.now()
  const open = [
    closing.under_review > 0 && text('closing.review', { count: closing.under_review }),
    closing.disputes > 0 && text('closing.disputes', { count: closing.disputes }),
    closing.owed_cents > 0 && text('closing.owed', { money: text.money(closing.owed_cents) }),
  ].filter((item) => item !== false)
  return (
    <>
      <Banner tone="warn" icon={<UserRoundX size={24} aria-hidden />} title={text('closing.title')}>
        {isDue ? text('closing.waits') : text('closing.when', { date: text.date(closesAt) })}
      </Banner>
      <Card>
        <h2 className="font-semibold">{text('closing.open')}</h2>
        {open.length === 0 ? (
          <p className="text-muted">{text('closing.nothing')}</p>
        ) : (
          <ul className="flex list-disc flex-col gap-1 ps-5">
            {open.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        )}
      </Card>
      <Owed closing={closing} />
      <ActionError error={keep.error} />
      <Button isWide isPending={keep.isPending} onPress={() => keep.mutate()}>
        {text('closing.keep')}
      </Button>
    </>
  )
}
