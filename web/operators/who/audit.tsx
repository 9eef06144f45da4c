/** The audit log: who did what, when and why. Its filter is in the address, so that other screens link to it. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { QueryResult } from '../../shared/desk/query-states.tsx'
import { Panel, Screen } from '../../shared/desk/screen.tsx'
import { Button, ButtonLink } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { Select } from '../../shared/ui/select.tsx'
import { Empty } from '../../shared/ui/states.tsx'
import { AuditRows } from './audit-rows.tsx'
import { type AuditFilter, auditQuery, operatorsQuery } from './queries.ts'
import { VerifyChain } from './verify.tsx'

const FILTERS = ['subject', 'operator', 'action'] as const
const ACTION = /^[a-z_.]{1,60}$/

export function AuditLog() {
  const search = useSearch()
  const asked = new URLSearchParams(search)
  const filter: AuditFilter = Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = asked.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
  const found = useInfiniteQuery(auditQuery(filter))
  const [isChecking, setIsChecking] = useState(false)
  return (
    <Screen
      title="Audit log"
      lead="Everything that operators did and looked at, newest first. Rows can’t be changed: each contains the hash of the one before it."
      actions={
        <>
          <Button look="secondary" onPress={() => setIsChecking(true)}>
            Check the log…
          </Button>
          <ButtonLink look="secondary" href={`${location.origin}/desk/api/audit-log/export`}>
            Export all rows
          </ButtonLink>
        </>
      }
    >
      <Filter key={search} filter={filter} />
      <QueryResult query={found}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows)
          return rows.length === 0 ? (
            <Panel>
              <Empty title="No rows">
                {search === ''
                  ? 'Nobody has done anything yet.'
                  : 'No row matches the filter. Check the ID and the action, or clear the filter.'}
              </Empty>
            </Panel>
          ) : (
            <AuditRows
              rows={rows}
              more={found.hasNextPage ? () => void found.fetchNextPage() : undefined}
            />
          )
        }}
      </QueryResult>
      {isChecking && <VerifyChain onClose={() => setIsChecking(false)} />}
    </Screen>
  )
}

const ANYBODY = ''

function Filter({ filter }: { filter: AuditFilter }) {
  const [, go] = useLocation()
  const [subject, setSubject] = useState(filter.subject ?? '')
  const [operator, setOperator] = useState(filter.operator ?? ANYBODY)
  const [action, setAction] = useState(filter.action ?? '')
  const operators = useQuery(operatorsQuery).data?.operators ?? []
  const known = operators.map(({ id, name }) => ({ value: id, label: name }))
  // Commands of the shell run under the name of a user of the system.
  const isOther = operator !== ANYBODY && !operators.some(({ id }) => id === operator)
  const problem =
    action === '' || ACTION.test(action.trim())
      ? undefined
      : 'Enter an action, such as payout.release'
  const show = (wanted: Record<(typeof FILTERS)[number], string>) => {
    const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== ''))
    go(query.size === 0 ? '/audit' : `/audit?${query.toString()}`)
  }
  return (
    <Panel title="Filter">
      <Form
        problems={{ problem }}
        onSubmit={() => {
          if (problem === undefined)
            show({ subject: subject.trim(), operator, action: action.trim() })
        }}
      >
        <div className="grid grid-cols-1 items-start gap-3 wide:grid-cols-3">
          <Field
            label="About"
            hint="The ID of a record or an operator"
            maxLength={200}
            value={subject}
            onChange={setSubject}
          />
          <Select
            label="By"
            value={operator}
            options={[
              { value: ANYBODY, label: 'Anybody' },
              ...known,
              ...(isOther ? [{ value: operator, label: operator }] : []),
            ]}
            onChange={setOperator}
          />
          <Field
            label="Action"
            hint="Such as payout.release, or payout for all about payouts"
            maxLength={60}
            value={action}
            onChange={setAction}
            problem={problem}
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="secondary">
            Show
          </Button>
          {Object.keys(filter).length > 0 && (
            <Button look="quiet" onPress={() => go('/audit')}>
              Clear the filter
            </Button>
          )}
        </div>
      </Form>
    </Panel>
  )
}
