/** Wallet: balance, money in escrow, transactions and top-ups. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ExternalLink, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../shared/ui/button.tsx'
import { Banner, Tag } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { api } from '../api.ts'
import { Ago } from '../../shared/desk/ago.tsx'
import { QueryResult, ActionError } from '../../shared/desk/query-states.tsx'
import { centsOf } from '../../shared/desk/cents.ts'
import { money, plural } from '../../shared/desk/figures.ts'
import { Id } from '../../shared/desk/id.tsx'
import { RequiresScope } from '../scopes.tsx'
import { Money } from '../../shared/desk/money.tsx'
import { meQuery, spendQuery } from '../queries.ts'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { useConsole } from '../session.tsx'
import { SpendChart } from '../spend-chart.tsx'
import { EmptyWithCall } from '../empty-with-call.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { TYPES } from '../words.ts'
import { walletQuery } from './queries.ts'
import { type Transaction, TRANSACTIONS } from './words.ts'

const SPEND_DAYS = 30

export function Wallet() {
  const { isTest } = useConsole()
  const [isAdding, setIsAdding] = useState(false)
  return (
    <Screen
      title="Wallet"
      actions={
        <RequiresScope scope="manage" right="deposit" isQuiet>
          <Button onPress={() => setIsAdding(true)}>
            {isTest ? 'Add play money' : 'Add funds'}
          </Button>
        </RequiresScope>
      }
    >
      <Balance />
      <Spend />
      <Transactions />
      {isAdding && <AddFunds onClose={() => setIsAdding(false)} />}
    </Screen>
  )
}

function Balance() {
  const me = useQuery(meQuery)
  const spend = useQuery(spendQuery(SPEND_DAYS))
  return (
    <QueryResult query={me} rows={1}>
      {({ agent }) => (
        <div className="grid grid-cols-1 gap-3 wide:grid-cols-[1fr_1fr_1fr_2fr]">
          <Figure
            name="Available"
            value={money(agent.balance_cents)}
            says={
              agent.free_tasks_remaining > 0
                ? `and ${plural(agent.free_tasks_remaining, 'free task')}`
                : undefined
            }
          />
          <Figure name="Locked in escrow" value={money(agent.escrow_cents)} />
          <Figure
            name="Lasts about"
            value={
              spend.data?.days_left === null || spend.data === undefined
                ? '–'
                : plural(Math.floor(spend.data.days_left), 'day')
            }
            says={
              spend.data && spend.data.pace_cents_per_day > 0
                ? `at ${money(Math.round(spend.data.pace_cents_per_day))} per day`
                : 'no recent spending'
            }
          />
          <LowBalance now={agent.low_balance_cents} email={agent.email} />
        </div>
      )}
    </QueryResult>
  )
}

function Figure({ name, value, says }: { name: string; value: string; says?: string | undefined }) {
  return (
    <div className="flex flex-col gap-1 rounded-card border border-border bg-surface p-4">
      <span className="text-sm text-muted">{name}</span>
      <span className="text-money leading-tight font-semibold">{value}</span>
      {says !== undefined && <span className="text-sm text-muted">{says}</span>}
    </div>
  )
}

/** Sends one email when the balance falls below the threshold, before the agent runs out of money. */
function LowBalance({ now, email }: { now: number | null; email: string | null }) {
  const [dollars, setDollars] = useState(now === null ? '' : (now / 100).toFixed(2))
  const [isWrong, setIsWrong] = useState(false)
  const action = useAction({
    run: (low: number | null) => api.patch('/agents/me', { body: { low_balance_cents: low } }),
    changes: ['me'],
  })
  const cents = dollars.trim() === '' ? null : centsOf(dollars)
  const problem = isWrong && cents === undefined ? 'Enter an amount such as 25.00' : undefined
  return (
    <div className="rounded-card border border-border bg-surface p-4">
      <Form
        problems={{ problem }}
        onSubmit={() => {
          setIsWrong(cents === undefined)
          if (cents !== undefined) action.mutate(cents)
        }}
      >
        <div className="flex flex-wrap items-start gap-2">
          <div className="min-w-0 flex-1 basis-40">
            <Field
              label="Low-balance alert, in dollars"
              inputMode="decimal"
              placeholder="25.00"
              hint={
                email === null
                  ? 'Test agents without an account have no email address.'
                  : `We email ${email} each time the balance falls below this. Leave empty for no alert.`
              }
              value={dollars}
              onChange={setDollars}
              problem={problem}
            />
          </div>
          <RequiresScope scope="manage" isQuiet>
            <div className="pt-5">
              <Button type="submit" look="secondary" isPending={action.isPending}>
                Save
              </Button>
            </div>
          </RequiresScope>
        </div>
        {action.isSuccess && <Banner tone="good">Saved.</Banner>}
        <ActionError error={action.error} />
      </Form>
    </div>
  )
}

function Spend() {
  const spend = useQuery(spendQuery(SPEND_DAYS))
  return (
    <Panel title={`Spending in the last ${SPEND_DAYS} days by task type`}>
      <QueryResult query={spend} rows={1}>
        {({ days, by_type }) => (
          <>
            <SpendChart days={days} span={SPEND_DAYS} />
            {by_type.length > 0 && (
              <ul className="flex flex-wrap gap-x-6 gap-y-1">
                {by_type.map(({ type, spent_cents, tasks }) => (
                  <li key={type} className="text-muted">
                    {TYPES[type]} <Money cents={spent_cents} /> · {plural(tasks, 'task')}
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </QueryResult>
    </Panel>
  )
}

const STATES: Record<
  Transaction['status'],
  { tone: 'good' | 'warn' | 'bad' | 'plain'; label: string }
> = {
  posted: { tone: 'good', label: 'Posted' },
  pending: { tone: 'warn', label: 'Pending' },
  failed: { tone: 'bad', label: 'Failed' },
  expired: { tone: 'plain', label: 'Expired' },
}

function Transactions() {
  const wallet = useInfiniteQuery(walletQuery)
  return (
    <QueryResult query={wallet}>
      {({ pages }) => {
        const rows = pages.flatMap(({ transactions }) => transactions)
        return rows.length === 0 ? (
          <Panel title="Transactions">
            <EmptyWithCall
              icon={<ReceiptText aria-hidden />}
              title="No transactions yet"
              call={{ method: 'POST', path: '/wallet/deposit', body: { amount_cents: 2000 } }}
            >
              Add funds or use a free task. Your agent can also deposit: this call returns a link to
              a checkout page.
            </EmptyWithCall>
          </Panel>
        ) : (
          <Panel title="Transactions" isFlush>
            <Table
              label="Transactions"
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'type',
                  label: 'Type',
                  cell: ({ type, status }) => (
                    <span className="inline-flex flex-wrap items-center gap-2">
                      {TRANSACTIONS[type]}
                      {status !== 'posted' && (
                        <Tag tone={STATES[status].tone}>{STATES[status].label}</Tag>
                      )}
                    </span>
                  ),
                },
                {
                  id: 'task',
                  label: 'Task',
                  cell: ({ task_id }) =>
                    task_id === null ? '–' : <Id id={task_id} href={`/tasks/${task_id}`} />,
                },
                { id: 'when', label: 'Time', cell: ({ created_at }) => <Ago at={created_at} /> },
                {
                  id: 'amount',
                  label: 'Amount',
                  isNumber: true,
                  cell: ({ amount_cents }) => <Money cents={amount_cents} isSigned />,
                },
                {
                  id: 'balance',
                  label: 'Balance after',
                  isNumber: true,
                  cell: ({ balance_after_cents }) => (
                    <span className="text-muted">{money(balance_after_cents)}</span>
                  ),
                },
              ]}
            />
            {wallet.hasNextPage && (
              <div className="border-t border-border p-3">
                <Button
                  look="secondary"
                  isPending={wallet.isFetchingNextPage}
                  onPress={() => void wallet.fetchNextPage()}
                >
                  Show older transactions
                </Button>
              </div>
            )}
          </Panel>
        )
      }}
    </QueryResult>
  )
}

const AMOUNTS = [2000, 5000, 10_000]
const LEAST_CENTS = 500
const MOST_CENTS = 1_000_000

function AddFunds({ onClose }: { onClose(): void }) {
  const { isTest } = useConsole()
  const [dollars, setDollars] = useState('20.00')
  const [isWrong, setIsWrong] = useState(false)
  const cents = centsOf(dollars)
  const isFine = cents !== undefined && cents >= LEAST_CENTS && cents <= MOST_CENTS
  const problem =
    isWrong && !isFine
      ? `Enter an amount between ${money(LEAST_CENTS)} and ${money(MOST_CENTS)}`
      : undefined
  const action = useAction({
    run: (amount: number, key) =>
      api.post('/wallet/deposit', { body: { amount_cents: amount }, key }),
    changes: ['wallet', 'me'],
  })
  const checkout = action.data
  return (
    <Sheet
      title={isTest ? 'Add play money' : 'Add funds'}
      closeLabel="Close"
      isOpen
      onClose={onClose}
    >
      {checkout === undefined ? (
        <Form
          problems={{ problem }}
          onSubmit={() => {
            setIsWrong(!isFine)
            if (isFine) action.mutate(cents)
          }}
        >
          <div className="flex flex-wrap gap-2">
            {AMOUNTS.map((amount) => (
              <Button
                key={amount}
                look="secondary"
                onPress={() => setDollars((amount / 100).toFixed(2))}
              >
                {money(amount)}
              </Button>
            ))}
          </div>
          <Field
            label="Amount, in dollars"
            inputMode="decimal"
            value={dollars}
            onChange={setDollars}
            problem={problem}
            hint={
              isTest
                ? 'This is play money. No card is charged.'
                : 'You pay on the payment processor’s page. The money usually arrives within seconds.'
            }
          />
          <ActionError error={action.error} />
          <div>
            <Button type="submit" isPending={action.isPending}>
              {isTest ? 'Add play money' : 'Continue to checkout'}
            </Button>
          </div>
        </Form>
      ) : isTest ? (
        <>
          <Banner tone="good">{money(checkout.amount_cents)} of play money added.</Banner>
          <div>
            <Button autoFocus onPress={onClose}>
              Done
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>
            Your checkout for <strong>{money(checkout.amount_cents)}</strong> is ready. It’s listed
            as pending until you pay.
          </p>
          <a
            href={checkout.checkout_url}
            className="inline-flex min-h-control items-center justify-center gap-2 rounded-field bg-brand px-4 font-semibold text-on-brand"
          >
            <ExternalLink size={16} aria-hidden />
            Pay {money(checkout.amount_cents)}
          </a>
        </>
      )}
    </Sheet>
  )
}
