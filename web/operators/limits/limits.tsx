/** The amounts above which a decision needs two operators. Changing one is a decision itself. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Ago } from '../../shared/desk/ago.tsx'
import { centsOf } from '../../shared/desk/cents.ts'
import { money } from '../../shared/desk/figures.ts'
import { ActionError, QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { useAction } from '../../shared/desk/use-action.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Banner } from '../../shared/ui/card.tsx'
import { BigChoice } from '../../shared/ui/choice.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Sheet } from '../../shared/ui/sheet.tsx'
import { Table } from '../../shared/ui/table.tsx'
import { type Answer, api } from '../api.ts'
import { CHANGED_BY_DECISIONS } from '../decide/waiting-decision.tsx'
import { useDraft } from '../drafts.ts'
import { limitsQuery } from '../queries.ts'
import { useDesk } from '../session.tsx'

type Limit = Answer<'/limits'>['limits'][number]

export function Limits() {
  const limits = useQuery(limitsQuery)
  return (
    <Screen
      title="Limits"
      lead="Above its limit, a decision takes effect only after a second operator has agreed. Amounts that one operator decides about the same case within a day are added up."
    >
      <QueryResult query={limits}>{(data) => <All limits={data.limits} />}</QueryResult>
    </Screen>
  )
}

const wordsOf = (cents: number | null) =>
  cents === null ? 'One operator' : cents === 0 ? 'Always two operators' : `Above ${money(cents)}`

function All({ limits }: { limits: Limit[] }) {
  const { can } = useDesk()
  const [open, setOpen] = useState<Limit>()
  const [isProposed, setIsProposed] = useState(false)
  return (
    <>
      {isProposed && (
        <Banner tone="good">
          Sent. If a second operator must agree, it is listed under Decisions.
        </Banner>
      )}
      <Panel isFlush>
        <Table
          label="Limits"
          rows={limits}
          keyOf={({ kind }) => kind}
          columns={[
            { id: 'kind', label: 'Decision', cell: ({ title }) => title },
            {
              id: 'limit',
              label: 'Two operators',
              cell: ({ over_cents }) => wordsOf(over_cents),
            },
            {
              id: 'changed',
              label: 'Changed',
              cell: ({ changed_by, changed_at }) => (
                <span className="text-muted">
                  <Ago at={changed_at} />
                  {changed_by !== null && (
                    <>
                      {' '}
                      by <bdi>{changed_by.name}</bdi>
                    </>
                  )}
                </span>
              ),
            },
            ...(can('staff')
              ? [
                  {
                    id: 'change',
                    label: 'Change',
                    isNumber: true,
                    cell: (limit: Limit) =>
                      limit.kind !== 'limit.change' && (
                        <Button
                          look="quiet"
                          aria-label={`Change the limit: ${limit.title}`}
                          onPress={() => setOpen(limit)}
                        >
                          Change…
                        </Button>
                      ),
                  },
                ]
              : []),
          ]}
        />
      </Panel>
      {open !== undefined && (
        <Change
          limit={open}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            setOpen(undefined)
            setIsProposed(true)
          }}
        />
      )}
    </>
  )
}

type Rule = 'above' | 'always' | 'never'

function Change({
  limit: { kind, title, over_cents },
  onDone,
  onClose,
}: {
  limit: Limit
  onDone(): void
  onClose(): void
}) {
  const [rule, setRule] = useState<Rule>(
    over_cents === null ? 'never' : over_cents === 0 ? 'always' : 'above',
  )
  const [amount, setAmount] = useState(over_cents ? (over_cents / 100).toFixed(2) : '')
  const [reason, setReason] = useDraft(`limit ${kind}`)
  const [isTried, setIsTried] = useState(false)
  const change = useAction({
    run: (body: { input: { over_cents: number | null }; reason: string }, key) =>
      api.post('/decisions', {
        body: { kind: 'limit.change', subject: kind, ...body, request_key: key },
      }),
    changes: ['limits', ...CHANGED_BY_DECISIONS],
    onDone() {
      setReason('')
      onDone()
    },
  })
  const cents = centsOf(amount)
  const wrongAmount = rule === 'above' && !cents ? 'Enter an amount, such as 200' : undefined
  const noReason = reason.trim().length < 3 ? 'Enter a reason' : undefined
  return (
    <Sheet title={`Limit: ${title}`} closeLabel="Close" isOpen onClose={onClose}>
      <Form
        problems={isTried ? { wrongAmount, noReason } : {}}
        onSubmit={() => {
          setIsTried(true)
          if (wrongAmount !== undefined || noReason !== undefined) return
          const over = rule === 'never' ? null : rule === 'always' ? 0 : cents!
          change.mutate({ input: { over_cents: over }, reason: reason.trim() })
        }}
      >
        <BigChoice<Rule>
          label="When must two operators agree?"
          value={rule}
          options={[
            { value: 'above', label: 'Above an amount' },
            { value: 'always', label: 'Always' },
            { value: 'never', label: 'Never' },
          ]}
          onChange={setRule}
        />
        {rule === 'above' && (
          <Field
            label="Amount"
            hint="In dollars"
            inputMode="decimal"
            value={amount}
            onChange={setAmount}
            problem={isTried ? wrongAmount : undefined}
          />
        )}
        <Field
          label="Reason"
          rows={2}
          maxLength={500}
          value={reason}
          onChange={setReason}
          problem={isTried ? noReason : undefined}
        />
        <ActionError error={change.error} />
        <div>
          <Button type="submit" isPending={change.isPending}>
            Change limit
          </Button>
        </div>
      </Form>
    </Sheet>
  )
}
