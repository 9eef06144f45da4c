import { useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import { QueryResult } from '../query-states.tsx'
import { useSession } from '../session.tsx'
import { useText } from '../text/use-text.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { Page } from '../../shared/ui/page.tsx'
import { titleOf } from '../active/brief-rules.ts'
import { type Work, workQuery } from '../active/queries.ts'
import { PaidNow } from '../moments/paid.tsx'
import { PayoutRow } from './payout-row.tsx'
import { type EarnedItem, itemsOfTaskQuery, payoutsOfTaskQuery } from './queries.ts'
import { Sum } from './sum.tsx'

/** What one task has paid and how it was calculated; printable. */
export function Receipt() {
  const text = useText()
  const { id } = useParams<{ id: string }>()
  const task = useQuery(workQuery(id))
  const items = useQuery(itemsOfTaskQuery(id))
  return (
    <Page title={text('receipt.title')} back="/earnings" backLabel={text('nav.earnings')}>
      <QueryResult query={task} rows={2}>
        {(own) => (
          <>
            <Facts own={own} />
            <QueryResult query={items} rows={1}>
              {(answer) => <Payments items={answer.items} own={own} />}
            </QueryResult>
            <PaidOut taskId={id} />
            <div className="flex flex-col gap-2 print:hidden">
              {own.dispute !== null && (
                <ButtonLink look="secondary" href={`/inbox/${id}`}>
                  {text('receipt.toDispute')}
                </ButtonLink>
              )}
              <Button look="secondary" onPress={() => globalThis.print()}>
                <Printer size={20} aria-hidden />
                {text('receipt.print')}
              </Button>
            </div>
          </>
        )}
      </QueryResult>
    </Page>
  )
}

function Facts({ own: { task, assignment, agent } }: { own: Work }) {
  const text = useText()
  const { worker } = useSession()
  return (
    <Card>
      <h2 className="text-title font-bold" dir="auto">
        {titleOf(task)}
      </h2>
      <dl className="flex flex-col gap-2 text-sm">
        <Fact name={text('receipt.kind')}>{text(`type.${task.type}`)}</Fact>
        <Fact name={text('receipt.agent')}>
          <span dir="auto">{agent.name}</span>
        </Fact>
        <Fact name={text('receipt.worker')}>
          <span dir="auto">{worker?.name}</span>
        </Fact>
        <Fact name={text('receipt.accepted')}>{text.date(assignment.accepted_at)}</Fact>
        {assignment.submitted_at !== null && (
          <Fact name={text('receipt.sent')}>{text.date(assignment.submitted_at)}</Fact>
        )}
        <Fact name={text('receipt.reference')}>
          <span dir="ltr" className="break-all">
            {task.id}
          </span>
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}

function Payments({ items, own }: { items: EarnedItem[]; own: Work }) {
  const text = useText()
  if (items.length === 0) return <NotPaid own={own} />
  const { at } = items[0]!
  // A tip comes together with the pay.
  const cents = items
    .filter((item) => item.at === at)
    .reduce((sum, item) => sum + item.net_cents, 0)
  return (
    <>
      <PaidNow taskId={own.task.id} cents={cents} at={at} />
      {items.toReversed().map((item) => (
        <Card key={item.id}>
          <div className="flex flex-wrap justify-between gap-x-4">
            <h2 className="text-title font-bold">{text(`earnings.kind_${item.kind}`)}</h2>
            <span className="text-sm text-muted">{text.date(item.at)}</span>
          </div>
          <Sum items={[item]} />
        </Card>
      ))}
      {items.length > 1 && (
        <Card>
          <h2 className="text-title font-bold">{text('receipt.total')}</h2>
          <Sum items={items} />
        </Card>
      )}
    </>
  )
}

function NotPaid({ own: { assignment, agent, held_dispute } }: { own: Work }) {
  const text = useText()
  return (
    <Card isQuiet>
      <p>
        {held_dispute?.status === 'held'
          ? text('receipt.held', {
              money: text.money(assignment.pay_cents),
              agent: agent.name,
              when: text.date(held_dispute.decides_by),
            })
          : assignment.status === 'submitted' && assignment.auto_approve_at !== null
            ? text('receipt.inReview', {
                money: text.money(assignment.pay_cents),
                when: text.date(assignment.auto_approve_at),
              })
            : text('receipt.notPaid')}
      </p>
    </Card>
  )
}

function PaidOut({ taskId }: { taskId: string }) {
  const text = useText()
  const { data } = useQuery(payoutsOfTaskQuery(taskId))
  if (data === undefined || data.payouts.length === 0) return null
  return (
    <Card>
      <h2 className="text-title font-bold">{text('payouts.title')}</h2>
      <ul>
        {data.payouts.map((payout) => (
          <PayoutRow key={payout.id} payout={payout} isNamed={false} />
        ))}
      </ul>
    </Card>
  )
}
